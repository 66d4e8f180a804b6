import type { CalendarDate } from "#app/domain/calendar-date.ts";
import type { DeliveryBounds, DeliveryEligibility } from "#app/domain/campaigns/delivery-eligibility.ts";
import type { AudienceConsent } from "../../audiences/consent/audience-consent.ts";
import type { DestinationMember } from "../../audiences/destination-member.ts";
import type { NormalizationProfile } from "../../audiences/rule-sets.ts";
import type { AdFormat, Channel, FrequencyCapPeriod, Geolocation, Objective } from "../../campaigns/campaign.ts";
import type { Ctx, JobActor } from "../../context.ts";
import type { AudienceId, CampaignId, LineItemId } from "../../ids.ts";
import type { DeliveryRow, RowRejection } from "../delivery-row.ts";

/** A line item as sent to a channel: the contents of its approved version. */
export type ActivationSpec = DeliveryBounds & {
  lineItemId: LineItemId;
  campaignId: CampaignId;
  name: string;
  channel: Channel;
  version: number;
  objective: Objective | null;
  adFormat: AdFormat | null;
  geolocations: readonly Geolocation[];
  frequencyCap: { impressions: number; period: FrequencyCapPeriod };
  audienceIds: readonly AudienceId[];
  landingUrl: string | null;
  creativePreviewUrl: string | null;
  /** Whether the line item may deliver on a day, as of now. */
  eligibilityOn: (day: CalendarDate) => DeliveryEligibility;
};

/**
 * The channel's reference of a line item. `held`: it may not deliver now, so that nothing of it runs on the channel;
 * what it waits for besides, in words, or null when the channel is ready to start it.
 */
export type ActivationResult = { reference: string; held?: { waitsFor: string | null } };

/**
 * The interface to a channel. Several channels may share an adapter. Every call is idempotent: an active line item
 * stays active, a paused one paused. Failures are thrown as ChannelErrors.
 */
export type ChannelAdapter = {
  /** The source of its reports. */
  source: string;
  /** The interval of report collection, in hours from midnight (UTC). */
  everyHours: number;
  /**
   * Whether it holds line items that may not deliver now, so that it is also asked about those that run as wanted.
   * Absent where the channel's delivery follows their eligibility by itself.
   */
  holdsIneligible?: boolean;
  /** Starts or resumes delivery, or stops it where the line item may not deliver now. */
  activate: (ctx: Ctx<JobActor>, activation: ActivationSpec) => Promise<ActivationResult>;
  /** Applies another approved version, likewise. */
  update: (ctx: Ctx<JobActor>, activation: ActivationSpec & { reference: string }) => Promise<ActivationResult>;
  pause: (ctx: Ctx, activation: { lineItemId: LineItemId; channel: Channel; reference: string }) => Promise<void>;
  /**
   * Yields the delivery of the days (UTC) from `from` until an instant, in chunks. A day in progress is reported so
   * far, or later. A row without a line item is its rejection code.
   */
  fetchReport: (ctx: Ctx<JobActor>, span: { from: Date; until: Date }) => AsyncIterable<(DeliveryRow | RowRejection)[]>;
  /** The channel's audiences; absent where it has none. */
  audiences?: AudienceDestination;
};

/** A batch of an audience's hashes in an upload. */
type AudienceBatch = {
  reference: string;
  token: string;
  /** The number of the batch, starting at 1. */
  sequence: number;
  last: boolean;
  /** The approximate number of members in all batches. */
  total: number;
  /** Nothing was ever sent to this audience before. */
  first: boolean;
  members: readonly DestinationMember[];
};

/**
 * The progress of an upload whose batches are all sent, and the token that replaces its token. `processing`: the
 * channel needs time. `continue`: the next call goes on at once.
 */
export type UploadProgress = { token: string; state: "done" | "processing" | "continue" };

/** The audiences of a channel. Each upload replaces the previous contents. Throws ChannelErrors. */
export type AudienceDestination = {
  /** The normalization rules of its hashes. */
  family: NormalizationProfile;
  /** Whether it also finds people by name, postal code and country. */
  takesAddresses: boolean;
  /** The maximum number of hashes in a batch. */
  maxBatchSize: number;
  /** How long an upload can be resumed, in milliseconds. */
  uploadTtlMs: number;
  /**
   * The age at which an upload is repeated, in milliseconds, before the channel forgets its people. Absent: it does
   * not.
   */
  renewAfterMs?: number;
  /**
   * Creates the audience on the channel, or finds it. Returns its reference and whether it is new and therefore empty.
   */
  create: (audience: { audienceId: AudienceId }) => Promise<{ reference: string; isNew: boolean }>;
  /**
   * Starts an upload and returns its token, or undefined while the channel still processes what was sent of an
   * `abandoned` upload, given by its token. `consent` is null where the channel takes none.
   */
  begin: (upload: {
    reference: string;
    first: boolean;
    consent: AudienceConsent | null;
    abandoned: string | null;
  }) => Promise<string | undefined>;
  /** Sends a batch and returns the token that replaces the upload's. Repeating a batch changes nothing. */
  send: (batch: AudienceBatch) => Promise<string>;
  /** Completes the upload. Called after the last batch, with the token of the call before, until it is done. */
  finish: (upload: { reference: string; token: string }) => Promise<UploadProgress>;
  /**
   * Removes all people from an audience that campaigns still target, and keeps it: without it, they might be shown to
   * anyone. `abandoned` is the token of an upload that was in progress. Returns false while the channel still processes
   * that one, which may bring people back. Absent where the audience has to be deleted.
   */
  empty?: (audience: { reference: string; abandoned: string | null }) => Promise<boolean>;
  /** Throws a ChannelError while the channel does not use an uploaded audience. Absent where channels use them all. */
  check?: (reference: string) => Promise<void>;
  /** Deletes the audience. No effect when it is already deleted. */
  remove: (reference: string) => Promise<void>;
};

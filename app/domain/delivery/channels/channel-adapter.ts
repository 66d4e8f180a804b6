import type { DestinationMember } from "../../audiences/destination-member.ts";
import type { RuleFamily } from "../../audiences/rule-sets.ts";
import type { AdFormat, Channel, FrequencyCapPeriod, Geolocation, Objective } from "../../campaigns/campaign.ts";
import type { DeliveryBounds } from "../../campaigns/may-deliver.ts";
import type { Ctx, JobActor } from "../../context.ts";
import type { AudienceId, CampaignId, LineItemId } from "../../ids.ts";
import type { DeliveryRow, RowRefusal } from "../delivery-row.ts";

/** A line item as a channel is told of it: what its approved version says. */
export type Activation = DeliveryBounds & {
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
};

/**
 * What stands between us and a channel: one for each of the ten, and several channels may share one. Each may be called again
 * with the same: what is active already stays so, what is paused stays paused. What cannot be done is a thrown ChannelError.
 */
export type ChannelAdapter = {
  /** The source of its reports. */
  source: string;
  /** Its reports are asked for at these hours of a day (UTC): every first, sixth … */
  everyHours: number;
  /** Begins, or begins again; gives what the channel calls it. */
  activate: (ctx: Ctx<JobActor>, activation: Activation) => Promise<{ reference: string }>;
  /** Another version was approved. */
  change: (ctx: Ctx<JobActor>, activation: Activation & { reference: string }) => Promise<{ reference: string }>;
  pause: (ctx: Ctx, activation: { lineItemId: LineItemId; channel: Channel; reference: string }) => Promise<void>;
  /**
   * What was delivered on the days (UTC) from `from` until an instant, in pieces; a day that is not over is given as far as it
   * is, or later. A row that is no line item's is its reason.
   */
  fetchReport: (ctx: Ctx<JobActor>, span: { from: Date; until: Date }) => AsyncIterable<(DeliveryRow | RowRefusal)[]>;
  /** Where audiences are kept over there; absent where there is nothing to keep them in. */
  audiences?: AudienceDestination;
};

/** A batch of an audience's hashes on its way. */
type AudienceBatch = {
  reference: string;
  token: string;
  /** From 1. */
  sequence: number;
  last: boolean;
  /** About so many in all batches. */
  total: number;
  /** Nothing was ever sent to this audience before. */
  first: boolean;
  members: readonly DestinationMember[];
};

/** Where a channel keeps audiences: each upload takes the place of all that was there. Throws ChannelErrors. */
export type AudienceDestination = {
  /** By whose rules it wants hashes. */
  family: RuleFamily;
  /** The most hashes of a batch. */
  inABatch: number;
  /** How long an upload that was begun can be gone on with, in milliseconds. */
  uploadLasts: number;
  /** Makes the audience over there, or finds it; gives what it is called, and whether nobody can be in it yet. */
  create: (audience: { audienceId: AudienceId }) => Promise<{ reference: string; isNew: boolean }>;
  /** Gives what the upload is called. */
  begin: (upload: { reference: string; first: boolean }) => Promise<string>;
  /** The same batch again changes nothing. */
  send: (batch: AudienceBatch) => Promise<void>;
  /** After the last batch: whether all is in place. Asked again until it is. */
  settle: (upload: { reference: string; token: string }) => Promise<boolean>;
  /** What is gone already stays gone. */
  remove: (reference: string) => Promise<void>;
};

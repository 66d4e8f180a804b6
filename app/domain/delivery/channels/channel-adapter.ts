import type { AdFormat, Channel, FrequencyCapPeriod, Geolocation, Objective } from "../../campaigns/campaign.ts";
import type { DeliveryBounds } from "../../campaigns/may-deliver.ts";
import type { Ctx, JobActor } from "../../context.ts";
import type { AudienceId, CampaignId, LineItemId } from "../../ids.ts";
import type { DeliveryRow } from "../delivery-row.ts";

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
  /** Begins, or begins again; gives what the channel calls it. */
  activate: (ctx: Ctx<JobActor>, activation: Activation) => Promise<{ reference: string }>;
  /** Another version was approved. */
  change: (ctx: Ctx<JobActor>, activation: Activation & { reference: string }) => Promise<{ reference: string }>;
  pause: (
    ctx: Ctx<JobActor>,
    activation: { lineItemId: LineItemId; channel: Channel; reference: string },
  ) => Promise<void>;
  /** What was delivered on the days (UTC) from `from` until an instant, in pieces; a day that is not over is given as far as it is. */
  fetchReport: (ctx: Ctx<JobActor>, span: { from: Date; until: Date }) => AsyncIterable<DeliveryRow[]>;
};

/** Why a channel did not do what it was told: a sentence of ours, which holds nothing of its answer. */
export class ChannelError extends Error {
  constructor(message: string) {
    super(message);
    this.name = "ChannelError";
  }
}

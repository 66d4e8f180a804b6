import type { CalendarDate } from "../../calendar-date.ts";
import type { LineItemId } from "../../ids.ts";
import type { AudienceDestination } from "./channel-adapter.ts";
import type { ConnectableChannel } from "./connectable.ts";

/** A campaign over there whose name has our tag. */
type PlatformCampaign = { id: string; version: number | null; running: boolean };

/** What an ad group or ad set delivered on a day of the account. Money in micros. */
export type PlatformRow = {
  campaignName: string;
  groupName: string;
  currency: string;
  impressions: number;
  clicks: number;
  conversions: number;
  spendMicros: number;
  revenueMicros: number;
  /** How many people, where the platform says so. */
  reach: number | null;
};

export type PlatformAccount = { id: string; currency: string; timeZone: string };

/**
 * An advertising platform, as far as we use it: an account of ours there, its campaigns that carry our tag, its audiences, its
 * reports. All of it throws ChannelErrors.
 */
export type Platform = {
  channel: ConnectableChannel;
  /** Also the way to see whether the credentials are good. */
  getAccount: () => Promise<PlatformAccount>;
  findCampaigns: (lineItemId: LineItemId) => Promise<PlatformCampaign[]>;
  /** Lets a campaign run, or pauses it. */
  setRunning: (id: string, running: boolean) => Promise<void>;
  /** A whole day of the account, in pages. */
  readDay: (day: CalendarDate) => AsyncIterable<PlatformRow[]>;
  audiences: AudienceDestination;
};

import type { CalendarDate } from "../../calendar-date.ts";
import type { LineItemId } from "../../ids.ts";
import type { AudienceDestination } from "./channel-adapter.ts";
import type { ConnectableChannel } from "./connectable.ts";

/** A campaign on the platform whose name has our tag. */
type PlatformCampaign = { id: string; version: number | null; running: boolean };

/** The delivery of an ad group or ad set on a day of the account's time zone. Money in micros. */
export type PlatformRow = {
  campaignName: string;
  groupName: string;
  currency: string;
  impressions: number;
  clicks: number;
  /** May be a fraction: the parts of ad groups add up to whole conversions. */
  conversions: number;
  spendMicros: number;
  revenueMicros: number;
  /** The number of people reached, if the platform reports it. */
  reach: number | null;
};

export type PlatformAccount = { id: string; currency: string; timeZone: string };

/**
 * The parts of an advertising platform that we use: our account there, the campaigns with our tag, the audiences, and
 * the reports. Every method throws ChannelErrors.
 */
export type Platform = {
  channel: ConnectableChannel;
  /** Reads the account; also used to verify credentials. */
  getAccount: () => Promise<PlatformAccount>;
  findCampaigns: (lineItemId: LineItemId) => Promise<PlatformCampaign[]>;
  /** Starts or pauses a campaign. */
  setRunning: (id: string, running: boolean) => Promise<void>;
  /** Yields the rows of a whole day of the account, in pages. */
  readDay: (day: CalendarDate) => AsyncIterable<PlatformRow[]>;
  audiences: AudienceDestination;
};

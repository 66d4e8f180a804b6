import type { Channel, ChannelType, Geolocation, RejectionReason } from "#app/domain/campaigns/campaign.ts";
import type { CampaignChanges } from "#app/domain/campaigns/campaign-payloads.ts";
import { changeCampaign } from "#app/domain/campaigns/change-campaign.server.ts";
import { launchCampaign } from "#app/domain/campaigns/launch-campaign.server.ts";
import { pauseCampaign, resumeCampaign } from "#app/domain/campaigns/pause-campaign.server.ts";
import { pauseLineItem } from "#app/domain/campaigns/pause-line-item.server.ts";
import { reviewCampaign } from "#app/domain/campaigns/review-campaign.server.ts";
import type { AdvertiserActor, Ctx, PublisherActor } from "#app/domain/context.ts";
import type { CampaignId, CreativeId } from "#app/domain/ids.ts";
import { toCents } from "#app/domain/money.ts";
import type { DemoAdvertiser, DemoPublisher } from "./demo-accounts.ts";
import type { DemoAudienceKey } from "./demo-audiences.ts";

/** The words in which the demo campaigns are told: what a campaign is, and what happened to it when. */
export type DemoCampaign = {
  advertiser: DemoAdvertiser;
  managedBy?: { publisher: DemoPublisher; commissionBps: number };
  name: string;
  objective?: "awareness" | "traffic" | "conversions";
  format?: "display" | "video" | "native" | "social";
  banner?: string;
  products?: readonly string[];
  audiences?: readonly DemoAudienceKey[];
  countries?: readonly Geolocation[];
  cap?: readonly [number, "hour" | "day" | "week" | "month"];
  channelType?: ChannelType;
  channels?: readonly Channel[];
  /** Dollars. */
  budget?: number;
  daily?: number;
  /** First and last day, counted from today. */
  flight?: readonly [number, number];
  created: Moment;
  story?: readonly Step[];
};

/** An instant, told from the seed's now. */
export type Moment = (now: Date) => Date;
export type Step = { at: Moment; act: (play: Play) => Promise<void> };
type Play = {
  id: CampaignId;
  asAdvertiser: Ctx<AdvertiserActor>;
  asPublisher: (publisher: DemoPublisher) => Ctx<PublisherActor>;
  /** The advertiser's picture of that name. */
  bannerOf: (banner: string) => Promise<CreativeId>;
};

/** That many days from today (UTC), at a time of day. */
export function on(day: number, time: `${number}:${number}`): Moment {
  return (now) => new Date(Date.parse(`${now.toISOString().slice(0, 10)}T${time}:00.000Z`) + day * 86_400_000);
}

export function hoursAgo(hours: number): Moment {
  return (now) => new Date(now.getTime() - hours * 3_600_000);
}

export function launched(at: Moment): Step {
  return { at, act: ({ asAdvertiser, id }) => launchCampaign(asAdvertiser, { id }) };
}

export function approved(at: Moment, publisher: DemoPublisher, notes?: string): Step {
  return { at, act: ({ asPublisher, id }) => reviewCampaign(asPublisher(publisher), { id, action: "approve", notes }) };
}

export function rejected(at: Moment, publisher: DemoPublisher, notes: string, reasons: RejectionReason[]): Step {
  return {
    at,
    act: ({ asPublisher, id }) => reviewCampaign(asPublisher(publisher), { id, action: "reject", notes, reasons }),
  };
}

export function paused(at: Moment): Step {
  return { at, act: ({ asAdvertiser, id }) => pauseCampaign(asAdvertiser, { id }) };
}

export function resumed(at: Moment): Step {
  return { at, act: ({ asAdvertiser, id }) => resumeCampaign(asAdvertiser, { id }) };
}

export function pausedByPublisher(at: Moment, publisher: DemoPublisher): Step {
  return { at, act: ({ asPublisher, id }) => pauseLineItem(asPublisher(publisher), { id }) };
}

/** A change that is sent to the publishers; amounts in dollars. */
export function budgetChanged(at: Moment, to: { budget: number; daily: number }): Step {
  const changes: CampaignChanges = { budget: toCents(to.budget * 100), daily_budget: toCents(to.daily * 100) };
  return { at, act: ({ asAdvertiser, id }) => changeCampaign(asAdvertiser, { id, changes, send: true }) };
}

export function bannerChanged(at: Moment, to: { banner: string }): Step {
  return {
    at,
    act: async ({ asAdvertiser, bannerOf, id }) => {
      const changes = { creative_ids: [await bannerOf(to.banner)] };
      await changeCampaign(asAdvertiser, { id, changes, send: true });
    },
  };
}

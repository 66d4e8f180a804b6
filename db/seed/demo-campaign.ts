import type { Channel, ChannelType, Geolocation, RejectionReason } from "#app/domain/campaigns/campaign.ts";
import type { CampaignChanges } from "#app/domain/campaigns/campaign-payloads.ts";
import { launchCampaign } from "#app/domain/campaigns/launch-campaign.server.ts";
import { pauseLineItem } from "#app/domain/campaigns/line-items/pause-line-item.server.ts";
import { pauseCampaign, resumeCampaign } from "#app/domain/campaigns/pause-campaign.server.ts";
import { reviewCampaign } from "#app/domain/campaigns/review-campaign.server.ts";
import { updateCampaign } from "#app/domain/campaigns/update-campaign.server.ts";
import type { AdvertiserActor, Ctx, PublisherActor } from "#app/domain/context.ts";
import type { CampaignId, CreativeId } from "#app/domain/ids.ts";
import { asCents } from "#app/domain/money.ts";
import type { DemoAdvertiser, DemoPublisher } from "./demo-accounts.ts";
import type { DemoAudienceKey } from "./demo-audiences.ts";

/** The definition of a demo campaign: its content, and the events of its history. */
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
  /** In dollars. */
  budget?: number;
  daily?: number;
  /** The first and last day, in days from today. */
  flight?: readonly [number, number];
  created: RelativeTime;
  story?: readonly Step[];
};

/** An instant relative to the seed's `now`. */
export type RelativeTime = (now: Date) => Date;
export type Step = { at: RelativeTime; act: (play: Play) => Promise<unknown> };
type Play = {
  id: CampaignId;
  asAdvertiser: Ctx<AdvertiserActor>;
  asPublisher: (publisher: DemoPublisher) => Ctx<PublisherActor>;
  /** Returns the advertiser's image of that name. */
  bannerOf: (banner: string) => Promise<CreativeId>;
};

/** Returns an instant that many days from today (UTC), at a time of day. */
export function onDay(day: number, time: `${number}:${number}`): RelativeTime {
  return (now) => new Date(Date.parse(`${now.toISOString().slice(0, 10)}T${time}:00.000Z`) + day * 86_400_000);
}

export function hoursAgo(hours: number): RelativeTime {
  return (now) => new Date(now.getTime() - hours * 3_600_000);
}

export function launched(at: RelativeTime): Step {
  return { at, act: ({ asAdvertiser, id }) => launchCampaign(asAdvertiser, { id }) };
}

export function approved(at: RelativeTime, publisher: DemoPublisher, notes?: string): Step {
  return { at, act: ({ asPublisher, id }) => reviewCampaign(asPublisher(publisher), { id, action: "approve", notes }) };
}

export function rejected(at: RelativeTime, publisher: DemoPublisher, notes: string, reasons: RejectionReason[]): Step {
  return {
    at,
    act: ({ asPublisher, id }) => reviewCampaign(asPublisher(publisher), { id, action: "reject", notes, reasons }),
  };
}

export function paused(at: RelativeTime): Step {
  return { at, act: ({ asAdvertiser, id }) => pauseCampaign(asAdvertiser, { id }) };
}

export function resumed(at: RelativeTime): Step {
  return { at, act: ({ asAdvertiser, id }) => resumeCampaign(asAdvertiser, { id }) };
}

export function pausedByPublisher(at: RelativeTime, publisher: DemoPublisher): Step {
  return { at, act: ({ asPublisher, id }) => pauseLineItem(asPublisher(publisher), { id }) };
}

/** A change that the publishers review again; amounts in dollars. */
export function budgetChanged(at: RelativeTime, to: { budget: number; daily: number }): Step {
  const changes: CampaignChanges = { budget: asCents(to.budget * 100), daily_budget: asCents(to.daily * 100) };
  return {
    at,
    act: async ({ asAdvertiser, id }) => {
      await updateCampaign(asAdvertiser, { id, changes, send: true });
    },
  };
}

export function bannerChanged(at: RelativeTime, to: { banner: string }): Step {
  return {
    at,
    act: async ({ asAdvertiser, bannerOf, id }) => {
      const changes = { creative_ids: [await bannerOf(to.banner)] };
      await updateCampaign(asAdvertiser, { id, changes, send: true });
    },
  };
}

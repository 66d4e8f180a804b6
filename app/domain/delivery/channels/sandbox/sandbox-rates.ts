import type { Segment } from "#app/domain/audiences/audience.ts";
import type { AdFormat, Channel, Geolocation, Objective } from "#app/domain/campaigns/campaign.ts";
import { seededRandom } from "./seeded-random.ts";

/**
 * Typical rates, close to the averages that platforms and agencies publish: clicks per hundred impressions by channel.
 */
const clicksPerHundred: Record<Channel, number> = {
  dv360: 0.48,
  amazon_dsp: 0.6,
  trade_desk: 0.52,
  adobe_advertising: 0.44,
  meta: 1.0,
  google: 1.1,
  tiktok: 0.86,
  youtube: 0.5,
  pinterest: 0.68,
  snapchat: 0.58,
};
const formatClicks: Record<AdFormat, number> = { display: 1, video: 0.85, native: 1.25, social: 1.1 };
const objectiveClicks: Record<Objective, number> = { awareness: 0.85, traffic: 1.2, conversions: 1 };
const segmentClicks: Record<Segment, number> = {
  "high-value": 1.08,
  "frequent-buyers": 1.12,
  "category-enthusiasts": 1.15,
  "seasonal-shoppers": 0.95,
  "new-customers": 0.9,
  "lapsed-customers": 0.82,
};
/** Orders per hundred clicks. */
const objectiveOrders: Record<Objective, number> = { awareness: 1.5, traffic: 2.3, conversions: 3.3 };
const segmentOrders: Record<Segment, number> = {
  "high-value": 1.25,
  "frequent-buyers": 1.2,
  "category-enthusiasts": 1.1,
  "seasonal-shoppers": 1,
  "new-customers": 0.9,
  "lapsed-customers": 0.75,
};
/** Revenue per dollar spent. */
const objectiveReturn: Record<Objective, number> = { awareness: 2, traffic: 2.7, conversions: 3.6 };

/** The match rate of each channel, in percent. */
const matched: Record<Channel, number> = {
  dv360: 62,
  amazon_dsp: 74,
  trade_desk: 66,
  adobe_advertising: 55,
  meta: 78,
  google: 70,
  tiktok: 46,
  youtube: 68,
  pinterest: 42,
  snapchat: 38,
};

export type Placement = {
  /** The campaign's seed. */
  seed: string;
  audienceId: string;
  channel: Channel;
  segment: Segment;
  adFormat: AdFormat;
  objective: Objective;
};

/**
 * Returns the rates of a placement: clicks per impression, orders per click, revenue per dollar spent, and match rate.
 * Deterministic. Pure.
 */
export function placementRates({ seed, audienceId, channel, segment, adFormat, objective }: Placement) {
  const chance = seededRandom(`${seed} ${audienceId} ${channel}`);
  const luck = () => 0.88 + 0.24 * chance();
  return {
    clicks:
      (clicksPerHundred[channel] *
        formatClicks[adFormat] *
        objectiveClicks[objective] *
        segmentClicks[segment] *
        luck()) /
      100,
    orders: (objectiveOrders[objective] * segmentOrders[segment] * luck()) / 100,
    revenue: objectiveReturn[objective] * luck(),
    matched: matched[channel] / 100,
  };
}

/** The views by hour of the local day: few at night, most in the evening. */
const viewsByHour = [9, 5, 3, 2, 2, 4, 10, 20, 30, 36, 40, 44, 48, 46, 44, 44, 47, 52, 60, 68, 74, 70, 48, 24];

/** The offset from UTC in hours, in the middle of the country and of the year. */
const hoursFromUtc: Record<Geolocation, number> = { us: -6, ca: -5, uk: 0, de: 1, fr: 1, au: 10, jp: 9, br: -3 };

/** Returns the share of the day's views in each hour (UTC) over all countries. The shares add up to 1. Pure. */
export function hourShares(countries: readonly Geolocation[]): number[] {
  const places = countries.length > 0 ? countries : (["us"] as const);
  const views = viewsByHour.map((_, hour) =>
    places.reduce((sum, place) => sum + (viewsByHour[(hour + hoursFromUtc[place] + 24) % 24] ?? 0), 0),
  );
  const all = views.reduce((sum, one) => sum + one, 0);
  return views.map((one) => one / all);
}

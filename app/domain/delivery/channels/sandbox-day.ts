import { type CalendarDate, daysInclusive } from "../../calendar-date.ts";
import type { FrequencyCapPeriod, Geolocation, Pacing } from "../../campaigns/campaign.ts";
import { type DeliveryBounds, mayDeliver } from "../../campaigns/may-deliver.ts";
import type { AudienceId, CampaignId, CreativeId, LineItemId } from "../../ids.ts";
import { toCents } from "../../money.ts";
import type { DeliveryRow } from "../delivery-row.ts";
import { chanceOf } from "./chance.ts";
import { creativesOfRow, reachOf } from "./sandbox-creatives.ts";
import { hourShares, type Placement, ratesOf } from "./sandbox-rates.ts";

/** A stretch of time in which a line item ran on one version, with the audiences it had. */
export type SandboxRun = {
  lineItemId: LineItemId;
  from: number;
  /** Milliseconds, as `from`; infinite while it goes on. */
  to: number;
  bounds: DeliveryBounds;
  sent: DeliveryBounds;
  cap: { impressions: number; period: FrequencyCapPeriod };
  geolocations: readonly Geolocation[];
  creativeIds: readonly CreativeId[];
  places: readonly SandboxPlace[];
};
type SandboxPlace = Omit<Placement, "seed" | "audienceId"> & {
  audienceId: AudienceId;
  size: number;
  cpmCents: number;
};

export type SandboxCampaign = {
  id: CampaignId;
  /** What its luck hangs on: nothing that is made by chance, so that a world played again comes out the same. */
  seed: string;
  pacing: Pacing;
  /** Before the day. */
  spentMicros: number;
  runs: readonly SandboxRun[];
};

const hour = 3_600_000;

/**
 * What a campaign delivers on a day, as far as the day has come by `until`: hour by hour, only while its line items run, within
 * flight, budgets and frequency cap, as its pacing wants it. The same campaign delivers the same; a later `until` only adds. Each
 * impression costs its audience's frozen CPM. Only the very last may pass the total budget, as it does in life. Pure.
 */
export function deliverSandboxDay(
  campaign: SandboxCampaign,
  { day, until }: { day: CalendarDate; until: number },
): DeliveryRow[] {
  const midnight = Date.parse(`${day}T00:00:00Z`);
  const places = new Map<string, PlaceDay>();
  const shares = hourShares(campaign.runs[0]?.geolocations ?? []);
  let spent = 0;
  for (const [index, share] of shares.entries()) {
    const begin = midnight + index * hour;
    if (begin + hour > until) break;
    const running = campaign.runs.flatMap((run) => {
      const part = Math.max(0, Math.min(run.to, begin + hour) - Math.max(run.from, begin)) / hour;
      const state = mayDeliver({ status: "active", approved: run.bounds, sent: run.sent, spentCents: noSpend }, day);
      return part > 0 && state.may ? [{ run, part, ...state }] : [];
    });
    if (running.length === 0) continue;
    const daily = Math.min(...running.map((one) => one.dailyBudgetCents)) * 10_000;
    const total = Math.min(...running.map((one) => one.totalBudgetCents)) * 10_000 - campaign.spentMicros;
    const ends = running.map((one) => one.run.bounds.endDate ?? day);
    const lastDay = ends.sort().at(-1) ?? day;
    const wanted = wantedOn(campaign, { day, daily, total, daysLeft: daysInclusive(day, lastDay) });
    const here = running.flatMap(({ run, part }) =>
      run.places.map((place) => ({ part, place: placeDay(places, { place, run, day, seed: campaign.seed }) })),
    );
    const weights = here.reduce((sum, { part, place }) => sum + part * place.weight, 0);
    for (const { part, place } of here) {
      const budget = Math.min(wanted * share, daily) * ((part * place.weight) / weights);
      const room = Math.min(Math.floor((daily - spent) / place.price), Math.ceil((total - spent) / place.price));
      spent += place.deliver({ budget, room, supply: place.most * Math.min(1, share * 2) }) * place.price;
    }
  }
  return [...places.values()].flatMap((place) => place.row(campaign.id, day));
}

const noSpend = toCents(0);

/** What the day is to spend, over its 24 hours. As fast as possible asks for more than a day's budget, and gets it early. */
function wantedOn(
  { seed, pacing }: SandboxCampaign,
  { day, daily, total, daysLeft }: { day: CalendarDate; daily: number; total: number; daysLeft: number },
): number {
  if (pacing === "asap") return daily * 2;
  const weekend = [0, 6].includes(new Date(`${day}T00:00:00Z`).getUTCDay());
  return Math.min(daily, total / daysLeft) * ((weekend ? 0.86 : 0.95) + 0.09 * chanceOf(`${seed} ${day}`)());
}

type PlaceDay = ReturnType<typeof makePlaceDay>;

function placeDay(
  places: Map<string, PlaceDay>,
  { place, ...of }: { place: SandboxPlace; run: SandboxRun; day: CalendarDate; seed: string },
): PlaceDay {
  const key = `${of.run.lineItemId} ${place.audienceId} ${place.channel}`;
  const known = places.get(key) ?? makePlaceDay(place, of);
  places.set(key, known);
  return known;
}

/** How many of a cap's views a person has in a day: hours are those in which anybody looks. */
const capsInADay: Record<FrequencyCapPeriod, number> = { hour: 10, day: 1, week: 1 / 7, month: 1 / 30 };

function makePlaceDay(place: SandboxPlace, { run, day, seed }: { run: SandboxRun; day: CalendarDate; seed: string }) {
  const { audienceId, channel, size, cpmCents } = place;
  const rates = ratesOf({ ...place, seed });
  const chance = chanceOf(`${seed} ${audienceId} ${channel} ${day}`);
  const luck = () => 0.9 + 0.2 * chance();
  const channels = run.places.filter((other) => other.audienceId === audienceId).length;
  const price = cpmCents * 10;
  const clicksShare = rates.clicks * luck();
  const ordersShare = rates.orders * luck();
  // What an order brings, so that over time the revenue for a dollar comes out.
  const order = Math.round((rates.revenue * price * luck()) / (rates.clicks * rates.orders) / 10_000) * 10_000;
  const [clickStart, orderStart] = [chance(), chance()];
  const people = (size * rates.matched) / channels;
  const most = Math.floor(people * run.cap.impressions * capsInADay[run.cap.period]);
  let impressions = 0;
  let left = 0;
  return {
    price,
    most,
    weight: size * rates.matched * (0.7 + 0.6 * chanceOf(`${seed} ${audienceId} ${channel}`)()),
    /** One hour more; gives its impressions. What a whole impression leaves of the money is the next hour's. */
    deliver({ budget, room, supply }: { budget: number; room: number; supply: number }): number {
      const affordable = Math.floor((budget + left) / price);
      const delivered = Math.max(0, Math.min(affordable, room, Math.floor(supply), most - impressions));
      left = Math.min(budget + left - delivered * price, price);
      impressions += delivered;
      return delivered;
    },
    row(campaignId: CampaignId, on: CalendarDate): DeliveryRow[] {
      if (impressions === 0) return [];
      const clicks = Math.min(impressions, Math.floor(impressions * clicksShare + clickStart));
      const conversions = Math.min(clicks, Math.floor(impressions * clicksShare * ordersShare + orderStart));
      const figures = {
        impressions,
        clicks,
        conversions,
        spendMicros: impressions * price,
        revenueMicros: conversions * order,
      };
      const reach = reachOf(impressions, { people, cap: run.cap });
      const creatives = creativesOfRow(figures, {
        seed: `${seed} ${audienceId} ${channel}`,
        creativeIds: run.creativeIds,
      });
      return [{ campaignId, audienceId, channel, day: on, source: sandboxSource, ...figures, reach, creatives }];
    },
  };
}

export const sandboxSource = "sandbox";

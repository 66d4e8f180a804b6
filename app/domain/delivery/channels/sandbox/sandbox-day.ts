import { type CalendarDate, daysInclusive } from "#app/domain/calendar-date.ts";
import type { FrequencyCapPeriod, Geolocation, Pacing } from "#app/domain/campaigns/campaign.ts";
import { type DeliveryBounds, deliveryEligibility } from "#app/domain/campaigns/delivery-eligibility.ts";
import type { DeliveryRow } from "#app/domain/delivery/delivery-row.ts";
import type { AudienceId, CampaignId, CreativeId, LineItemId } from "#app/domain/ids.ts";
import { asCents } from "#app/domain/money.ts";
import { simulateReach, splitByCreative } from "./sandbox-creatives.ts";
import { hourShares, type Placement, placementRates } from "./sandbox-rates.ts";
import { seededRandom } from "./seeded-random.ts";

/** A time span in which a line item ran on one version, with its audiences. */
export type SandboxRun = {
  lineItemId: LineItemId;
  from: number;
  /** In milliseconds since 1970, like `from`; infinite while it continues. */
  to: number;
  bounds: DeliveryBounds;
  sentBounds: DeliveryBounds;
  cap: { impressions: number; period: FrequencyCapPeriod };
  geolocations: readonly Geolocation[];
  creativeIds: readonly CreativeId[];
  placements: readonly SandboxPlace[];
};
type SandboxPlace = Omit<Placement, "seed" | "audienceId"> & {
  audienceId: AudienceId;
  size: number;
  cpmCents: number;
};

export type SandboxCampaign = {
  id: CampaignId;
  /** The seed of its random numbers. Nothing random goes into it, so that a repeated simulation has the same result. */
  seed: string;
  pacing: Pacing;
  /** The spend before the day. */
  spentMicros: number;
  runs: readonly SandboxRun[];
};

const hour = 3_600_000;

/**
 * Simulates what a campaign delivers on a day up to `until`: hour by hour, while its line items run, within flight,
 * budgets and frequency cap, and by its pacing. Deterministic; a later `until` only adds. Each impression costs its
 * audience's CPM at launch. Only the last impression may exceed the total budget, as in reality. Pure.
 */
export function simulateSandboxDay(
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
      const state = deliveryEligibility(
        { status: "active", approved: run.bounds, sentBounds: run.sentBounds, spentCents: noSpend },
        day,
      );
      return part > 0 && state.eligible ? [{ run, part, ...state }] : [];
    });
    if (running.length === 0) continue;
    const daily = Math.min(...running.map((one) => one.dailyBudgetCents)) * 10_000;
    const total = Math.min(...running.map((one) => one.totalBudgetCents)) * 10_000 - campaign.spentMicros;
    const ends = running.map((one) => one.run.bounds.endDate ?? day);
    const lastDay = ends.sort().at(-1) ?? day;
    const target = targetSpend(campaign, { day, daily, total, daysLeft: daysInclusive(day, lastDay) });
    const here = running.flatMap(({ run, part }) =>
      run.placements.map((place) => ({ part, place: placeDay(places, { place, run, day, seed: campaign.seed }) })),
    );
    const weights = here.reduce((sum, { part, place }) => sum + part * place.weight, 0);
    for (const { part, place } of here) {
      const budget = Math.min(target * share, daily) * ((part * place.weight) / weights);
      const room = Math.min(Math.floor((daily - spent) / place.price), Math.ceil((total - spent) / place.price));
      spent += place.deliver({ budget, room, supply: place.most * Math.min(1, share * 2) }) * place.price;
    }
  }
  return [...places.values()].flatMap((place) => place.row(campaign.id, day));
}

const noSpend = asCents(0);

/**
 * Returns the target spend of the day. As fast as possible targets more than the daily budget, which is then spent
 * early.
 */
function targetSpend(
  { seed, pacing }: SandboxCampaign,
  { day, daily, total, daysLeft }: { day: CalendarDate; daily: number; total: number; daysLeft: number },
): number {
  if (pacing === "asap") return daily * 2;
  const weekend = [0, 6].includes(new Date(`${day}T00:00:00Z`).getUTCDay());
  return Math.min(daily, total / daysLeft) * ((weekend ? 0.86 : 0.95) + 0.09 * seededRandom(`${seed} ${day}`)());
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

/** How many times a person reaches the cap in a day; only waking hours count for an hourly cap. */
const capsPerDay: Record<FrequencyCapPeriod, number> = { hour: 10, day: 1, week: 1 / 7, month: 1 / 30 };

function makePlaceDay(place: SandboxPlace, { run, day, seed }: { run: SandboxRun; day: CalendarDate; seed: string }) {
  const { audienceId, channel, size, cpmCents } = place;
  const rates = placementRates({ ...place, seed });
  const chance = seededRandom(`${seed} ${audienceId} ${channel} ${day}`);
  const luck = () => 0.9 + 0.2 * chance();
  const channels = run.placements.filter((other) => other.audienceId === audienceId).length;
  const price = cpmCents * 10;
  const clicksShare = rates.clicks * luck();
  const ordersShare = rates.orders * luck();
  // The revenue per order that yields the placement's return on ad spend over time.
  const order = Math.round((rates.revenue * price * luck()) / (rates.clicks * rates.orders) / 10_000) * 10_000;
  const [clickStart, orderStart] = [chance(), chance()];
  const people = (size * rates.matched) / channels;
  const most = Math.floor(people * run.cap.impressions * capsPerDay[run.cap.period]);
  let impressions = 0;
  let left = 0;
  return {
    price,
    most,
    weight: size * rates.matched * (0.7 + 0.6 * seededRandom(`${seed} ${audienceId} ${channel}`)()),
    /**
     * Delivers one more hour and returns its impressions. Money left over from a whole impression carries over to the
     * next hour.
     */
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
      const reach = simulateReach(impressions, { people, cap: run.cap });
      const creatives = splitByCreative(figures, {
        seed: `${seed} ${audienceId} ${channel}`,
        creativeIds: run.creativeIds,
      });
      return [{ campaignId, audienceId, channel, day: on, source: sandboxSource, ...figures, reach, creatives }];
    },
  };
}

export const sandboxSource = "sandbox";

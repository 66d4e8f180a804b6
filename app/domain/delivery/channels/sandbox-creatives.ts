import type { FrequencyCapPeriod } from "../../campaigns/campaign.ts";
import type { CreativeId } from "../../ids.ts";
import type { CreativePart } from "../delivery-creatives.ts";
import type { DeliveryFigures } from "../delivery-figures.ts";
import { chanceOf } from "./chance.ts";

/**
 * What of a row each creative did: some are shown more than others, and some please more. Together they are the row. Always
 * the same for the same seed; null where the campaign has none. Pure.
 */
export function creativesOfRow(
  row: DeliveryFigures,
  { seed, creativeIds }: { seed: string; creativeIds: readonly CreativeId[] },
): CreativePart[] | null {
  if (creativeIds.length === 0 || row.impressions === 0) return null;
  const inOrder = [...creativeIds].sort();
  const drawn = inOrder.map((id) => {
    const chance = chanceOf(`${seed} ${id}`);
    return { shown: 0.6 + 0.8 * chance(), liked: 0.6 + 0.8 * chance() };
  });
  const impressions = split(
    row.impressions,
    drawn.map(({ shown }) => ({ weight: shown, most: row.impressions })),
  );
  const clicks = split(
    row.clicks,
    impressions.map((most, index) => ({ weight: most * (drawn[index]?.liked ?? 1), most })),
  );
  const conversions = split(
    row.conversions,
    clicks.map((most) => ({ weight: most, most })),
  );
  const price = row.spendMicros / row.impressions;
  const order = row.conversions === 0 ? 0 : row.revenueMicros / row.conversions;
  return inOrder.map((creativeId, index) => ({
    creativeId,
    impressions: impressions[index] ?? 0,
    clicks: clicks[index] ?? 0,
    conversions: conversions[index] ?? 0,
    spendMicros: (impressions[index] ?? 0) * price,
    revenueMicros: (conversions[index] ?? 0) * order,
  }));
}

/** Whole parts of a number by weight, none over its most; together they are all of it, as far as they may. */
function split(whole: number, parts: readonly { weight: number; most: number }[]): number[] {
  const weights = parts.reduce((sum, { weight }) => sum + weight, 0);
  let [before, given] = [0, 0];
  const first = parts.map(({ weight, most }) => {
    before += weight;
    const until = weights === 0 ? 0 : Math.round((whole * before) / weights);
    const part = Math.min(most, until - given);
    given += part;
    return part;
  });
  // What one could not take, the others do.
  return first.map((part, index) => {
    const more = Math.min((parts[index]?.most ?? 0) - part, whole - given);
    given += more;
    return part + more;
  });
}

/** How many of a cap's views a person can have in a day at most: hours are those in which anybody looks. */
const mostInADay: Record<FrequencyCapPeriod, number> = { hour: 10, day: 1, week: 1, month: 1 };

/**
 * How many of `people` saw that many impressions, if chance alone picked who sees the next one; and more where nobody
 * would keep within the cap otherwise. Pure.
 */
export function reachOf(
  impressions: number,
  { people, cap }: { people: number; cap: { impressions: number; period: FrequencyCapPeriod } },
): number {
  if (impressions === 0) return 0;
  const seen = people * (1 - Math.exp(-impressions / people));
  const least = Math.ceil(impressions / (cap.impressions * mostInADay[cap.period]));
  return Math.min(impressions, Math.max(1, least, Math.round(seen)));
}

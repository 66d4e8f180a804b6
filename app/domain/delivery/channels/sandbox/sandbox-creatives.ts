import type { FrequencyCapPeriod } from "#app/domain/campaigns/campaign.ts";
import type { CreativeFigures } from "#app/domain/delivery/delivery-creatives.ts";
import type { DeliveryFigures } from "#app/domain/delivery/delivery-figures.ts";
import type { CreativeId } from "#app/domain/ids.ts";
import { seededRandom } from "./seeded-random.ts";

/**
 * Splits a row among the creatives: some get more impressions, and some more clicks. Their totals equal the row.
 * Deterministic for a seed; null for a campaign without creatives. Pure.
 */
export function splitByCreative(
  row: DeliveryFigures,
  { seed, creativeIds }: { seed: string; creativeIds: readonly CreativeId[] },
): CreativeFigures[] | null {
  if (creativeIds.length === 0 || row.impressions === 0) return null;
  const inOrder = [...creativeIds].sort();
  const drawn = inOrder.map((id) => {
    const chance = seededRandom(`${seed} ${id}`);
    return { shown: 0.6 + 0.8 * chance(), appeal: 0.6 + 0.8 * chance() };
  });
  const impressions = split(
    row.impressions,
    drawn.map(({ shown }) => ({ weight: shown, most: row.impressions })),
  );
  const clicks = split(
    row.clicks,
    impressions.map((most, index) => ({ weight: most * (drawn[index]?.appeal ?? 1), most })),
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

/**
 * Splits a number into whole parts by weight, none above its maximum; the parts add up to the number as far as the
 * maximums allow.
 */
function split(whole: number, parts: readonly { weight: number; most: number }[]): number[] {
  const weights = parts.reduce((sum, { weight }) => sum + weight, 0);
  let [before, allocated] = [0, 0];
  const first = parts.map(({ weight, most }) => {
    before += weight;
    const until = weights === 0 ? 0 : Math.round((whole * before) / weights);
    const part = Math.min(most, until - allocated);
    allocated += part;
    return part;
  });
  // The remainder of full parts goes to the others.
  return first.map((part, index) => {
    const more = Math.min((parts[index]?.most ?? 0) - part, whole - allocated);
    allocated += more;
    return part + more;
  });
}

/** How many times a person can reach the cap in a day at most; only waking hours count for an hourly cap. */
const maxCapsPerDay: Record<FrequencyCapPeriod, number> = { hour: 10, day: 1, week: 1, month: 1 };

/**
 * Returns how many of `people` see this many impressions if each goes to a random person; more where the frequency cap
 * requires it. Pure.
 */
export function simulateReach(
  impressions: number,
  { people, cap }: { people: number; cap: { impressions: number; period: FrequencyCapPeriod } },
): number {
  if (impressions === 0) return 0;
  const seen = people * (1 - Math.exp(-impressions / people));
  const least = Math.ceil(impressions / (cap.impressions * maxCapsPerDay[cap.period]));
  return Math.min(impressions, Math.max(1, least, Math.round(seen)));
}

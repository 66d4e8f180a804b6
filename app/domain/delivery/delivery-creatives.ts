import { creativeLimits } from "../creatives/creative.ts";
import { type CreativeId, parseId } from "../ids.ts";
import { type DeliveryFigures, parseFigures } from "./delivery-figures.ts";

/** The part of a row's figures that one creative has. */
export type CreativeFigures = DeliveryFigures & { creativeId: CreativeId };

/** The figures of a creative as stored with a fact. */
export type StoredCreative = {
  creative_id: CreativeId;
  impressions: number;
  clicks: number;
  conversions: number;
  /** The spend that the budgets covered. */
  spend_micros: number;
  revenue_micros: number;
  reported_micros: number;
};

/**
 * Parses the creatives of a row, sorted by ID; null for a row without. Their totals must not exceed the row's. Returns
 * the rejection code for invalid creatives. Pure.
 */
export function parseCreatives(value: unknown, row: DeliveryFigures) {
  if (value === undefined || value === null) return null;
  if (!Array.isArray(value) || value.length > creativeLimits.perCampaign) return "invalid_creatives";
  const parts = new Map<CreativeId, CreativeFigures>();
  for (const one of value) {
    if (typeof one !== "object" || one === null) return "invalid_creatives";
    const of = (field: string): unknown => (Object.hasOwn(one, field) ? Reflect.get(one, field) : undefined);
    const rawId = of("creative_id");
    const creativeId = typeof rawId === "string" ? parseId<CreativeId>(rawId) : undefined;
    if (!creativeId || parts.has(creativeId)) return "invalid_creatives";
    const figures = parseFigures(of);
    if (typeof figures === "string") return figures;
    parts.set(creativeId, { creativeId, ...figures });
  }
  const sorted = [...parts.values()].sort((one, other) => (one.creativeId < other.creativeId ? -1 : 1));
  if (figureNames.some((name) => sumOf(sorted, name) > row[name])) return "creatives_over_row";
  return sorted.length === 0 ? null : sorted;
}

const figureNames = ["impressions", "clicks", "conversions", "spendMicros", "revenueMicros"] as const;

function sumOf(parts: readonly CreativeFigures[], name: (typeof figureNames)[number]): number {
  return parts.reduce((sum, part) => sum + part[name], 0);
}

/**
 * Returns the creatives to store with a fact of which `allocatedMicros` of `reportedMicros` was allocated: each gets
 * its share of the allocated spend, and if the creatives make up the whole fact, the shares add up to it. Pure.
 */
export function toStoredCreatives(
  parts: readonly CreativeFigures[] | null,
  { allocatedMicros, reportedMicros }: { allocatedMicros: number; reportedMicros: number },
): StoredCreative[] | null {
  let [before, allocatedSoFar] = [0, 0];
  return (
    parts?.map((part) => {
      before += part.spendMicros;
      const until = shareOf(before, { allocated: allocatedMicros, of: reportedMicros });
      const share = until - allocatedSoFar;
      allocatedSoFar = until;
      return {
        creative_id: part.creativeId,
        impressions: part.impressions,
        clicks: part.clicks,
        conversions: part.conversions,
        spend_micros: share,
        revenue_micros: part.revenueMicros,
        reported_micros: part.spendMicros,
      };
    }) ?? null
  );
}

/** Returns `part × allocated ÷ of`, rounded down. BigInt, because the product exceeds safe integers. */
function shareOf(part: number, { allocated, of }: { allocated: number; of: number }): number {
  if (allocated === of || part === 0) return part;
  return Number((BigInt(part) * BigInt(allocated)) / BigInt(of));
}

/** Returns whether the reported creatives equal the stored ones. The allocated spend is not compared. Pure. */
export function areSameCreatives(parts: readonly CreativeFigures[] | null, stored: readonly StoredCreative[] | null) {
  return fingerprint(parts?.map(toComparable)) === fingerprint(stored ?? undefined);
}

function toComparable(part: CreativeFigures): Omit<StoredCreative, "spend_micros"> {
  const { creativeId, spendMicros, revenueMicros, ...counts } = part;
  return { creative_id: creativeId, ...counts, revenue_micros: revenueMicros, reported_micros: spendMicros };
}

function fingerprint(parts: readonly Omit<StoredCreative, "spend_micros">[] | undefined): string | undefined {
  return parts
    ?.map(({ creative_id: id, impressions, clicks, conversions, revenue_micros: revenue, reported_micros: reported }) =>
      [id, impressions, clicks, conversions, revenue, reported].join(" "),
    )
    .join();
}

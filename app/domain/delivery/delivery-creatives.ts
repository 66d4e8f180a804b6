import { creativeLimits } from "../creatives/creative.ts";
import { type CreativeId, parseId } from "../ids.ts";
import { type DeliveryFigures, readFigures } from "./delivery-figures.ts";

/** What of a row one creative did. */
export type CreativePart = DeliveryFigures & { creativeId: CreativeId };

/** The same as it is kept with its fact. */
export type StoredCreative = {
  creative_id: CreativeId;
  impressions: number;
  clicks: number;
  conversions: number;
  /** What the budgets held of it. */
  spend_micros: number;
  revenue_micros: number;
  reported_micros: number;
};

/**
 * Reads the creatives of a row, by id; null where it has none. Together they are no more than the row, which may have more
 * than is known of its creatives. Gives the reason for what cannot be. Pure.
 */
export function readCreatives(value: unknown, row: DeliveryFigures) {
  if (value === undefined || value === null) return null;
  if (!Array.isArray(value) || value.length > creativeLimits.chosen) return "invalid_creatives";
  const parts = new Map<CreativeId, CreativePart>();
  for (const one of value) {
    if (typeof one !== "object" || one === null) return "invalid_creatives";
    const of = (field: string): unknown => (Object.hasOwn(one, field) ? Reflect.get(one, field) : undefined);
    const named = of("creative_id");
    const creativeId = typeof named === "string" ? parseId<CreativeId>(named) : undefined;
    if (!creativeId || parts.has(creativeId)) return "invalid_creatives";
    const figures = readFigures(of);
    if (typeof figures === "string") return figures;
    parts.set(creativeId, { creativeId, ...figures });
  }
  const inOrder = [...parts.values()].sort((one, other) => (one.creativeId < other.creativeId ? -1 : 1));
  if (figureNames.some((name) => sumOf(inOrder, name) > row[name])) return "creatives_over_row";
  return inOrder.length === 0 ? null : inOrder;
}

const figureNames = ["impressions", "clicks", "conversions", "spendMicros", "revenueMicros"] as const;

function sumOf(parts: readonly CreativePart[], name: (typeof figureNames)[number]): number {
  return parts.reduce((sum, part) => sum + part[name], 0);
}

/**
 * What is kept of a fact's creatives, when `takenMicros` of the `reportedMicros` was taken: each gets its share of what was
 * taken, and where the creatives are all of the fact, their shares are all that was taken. Pure.
 */
export function storedCreatives(
  parts: readonly CreativePart[] | null,
  { takenMicros, reportedMicros }: { takenMicros: number; reportedMicros: number },
): StoredCreative[] | null {
  let [before, given] = [0, 0];
  return (
    parts?.map((part) => {
      before += part.spendMicros;
      const until = shareOf(before, { taken: takenMicros, of: reportedMicros });
      const share = until - given;
      given = until;
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

/** `part × taken ÷ of`, rounded down; the product is more than numbers hold exactly. */
function shareOf(part: number, { taken, of }: { taken: number; of: number }): number {
  if (taken === of || part === 0) return part;
  return Number((BigInt(part) * BigInt(taken)) / BigInt(of));
}

/** Whether a source says of the creatives what is kept already. What was taken of it does not count. Pure. */
export function areSameCreatives(parts: readonly CreativePart[] | null, stored: readonly StoredCreative[] | null) {
  return wordsOf(parts?.map(storedOf)) === wordsOf(stored ?? undefined);
}

function storedOf(part: CreativePart): Omit<StoredCreative, "spend_micros"> {
  const { creativeId, spendMicros, revenueMicros, ...counts } = part;
  return { creative_id: creativeId, ...counts, revenue_micros: revenueMicros, reported_micros: spendMicros };
}

function wordsOf(parts: readonly Omit<StoredCreative, "spend_micros">[] | undefined): string | undefined {
  return parts
    ?.map(({ creative_id: id, impressions, clicks, conversions, revenue_micros: revenue, reported_micros: reported }) =>
      [id, impressions, clicks, conversions, revenue, reported].join(" "),
    )
    .join();
}

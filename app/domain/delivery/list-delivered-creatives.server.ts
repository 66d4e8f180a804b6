import { sql } from "drizzle-orm";
import { columnValue, queryRows } from "#db/query-rows.server.ts";
import { lineItemCreatives } from "#db/schema/index.ts";
import type { Ctx, TenantActor } from "../context.ts";
import { type Creative, listCreativesById } from "../creatives/creative-rows.server.ts";
import type { CampaignId, CreativeId } from "../ids.ts";
import { bySpend, type CounterRow, countedRow, type DeliveryTotals, sumCounter, sumGroups } from "./delivery-totals.ts";
import { counterSums, ownLineItems } from "./own-line-items.server.ts";

/**
 * The totals of a creative; `creative` is null for a deleted one, and `id` for delivery without a reported creative.
 */
export type DeliveredCreative = DeliveryTotals & { id: CreativeId | null; creative: Creative | null };

const creativeRow = countedRow.extend({ creative_id: columnValue(lineItemCreatives.creativeId) });

/**
 * Lists what a campaign's creatives delivered, and last the rest of `all` without a reported creative; together they
 * equal `all`. Empty when no source reports creatives.
 */
export async function listDeliveredCreatives(
  ctx: Ctx<TenantActor>,
  { id, all }: { id: CampaignId; all: readonly CounterRow[] },
): Promise<DeliveredCreative[]> {
  const parts = await listParts(ctx, id);
  if (parts.length === 0) return [];
  const known = await listCreativesById(
    ctx,
    parts.map((row) => row.creative_id),
  );
  const groups = parts.map((row) => ({
    shown: {
      id: row.creative_id as CreativeId | null,
      creative: known.find((one) => one.id === row.creative_id) ?? null,
    },
    rows: [row as CounterRow],
  }));
  const rest = subtractReported(all, parts);
  if (Object.values(rest).some((figure) => figure !== "0"))
    groups.push({ shown: { id: null, creative: null }, rows: [rest] });
  return sumGroups(groups).sort((one, other) => Number(!one.id) - Number(!other.id) || bySpend(one, other));
}

async function listParts(ctx: Ctx<TenantActor>, id: CampaignId) {
  return queryRows(
    ctx.db,
    creativeRow,
    sql`
      select fact.creative_id, ${counterSums} from line_item_creatives fact where fact.line_item_id in (${ownLineItems(ctx, id)})
      group by fact.creative_id order by fact.creative_id`,
  );
}

function subtractReported(all: readonly CounterRow[], parts: readonly CounterRow[]): CounterRow {
  const rest = (name: keyof CounterRow) => String(sumCounter(all, name) - sumCounter(parts, name));
  return {
    impressions: rest("impressions"),
    clicks: rest("clicks"),
    conversions: rest("conversions"),
    spend_micros: rest("spend_micros"),
  };
}

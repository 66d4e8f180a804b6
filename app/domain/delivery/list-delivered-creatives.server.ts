import { sql } from "drizzle-orm";
import { columnValue, queryRows } from "#db/query-rows.server.ts";
import { lineItemCreatives } from "#db/schema/index.ts";
import type { Ctx, TenantActor } from "../context.ts";
import { type Creative, listCreativesOf } from "../creatives/creative-rows.server.ts";
import type { CampaignId, CreativeId } from "../ids.ts";
import { bySpend, type Counted, countedRow, type Delivered, sum, summed } from "./delivered.ts";
import { ownLineItems, sums } from "./own-line-items.server.ts";

/** A creative as it is shown, null of one that was deleted; `id` is null for what no source told the creative of. */
export type DeliveredCreative = Delivered & { id: CreativeId | null; creative: Creative | null };

const creativeRow = countedRow.extend({ creative_id: columnValue(lineItemCreatives.creativeId) });

/**
 * What a campaign's creatives delivered, and last what of `all` no source told the creative of; together they are `all`.
 * Nothing where no source told any.
 */
export async function listDeliveredCreatives(
  ctx: Ctx<TenantActor>,
  { id, all }: { id: CampaignId; all: readonly Counted[] },
): Promise<DeliveredCreative[]> {
  const parts = await listParts(ctx, id);
  if (parts.length === 0) return [];
  const known = await listCreativesOf(
    ctx,
    parts.map((row) => row.creative_id),
  );
  const groups = parts.map((row) => ({
    shown: {
      id: row.creative_id as CreativeId | null,
      creative: known.find((one) => one.id === row.creative_id) ?? null,
    },
    rows: [row as Counted],
  }));
  const rest = restOf(all, parts);
  if (Object.values(rest).some((figure) => figure !== "0"))
    groups.push({ shown: { id: null, creative: null }, rows: [rest] });
  return summed(groups).sort((one, other) => Number(!one.id) - Number(!other.id) || bySpend(one, other));
}

async function listParts(ctx: Ctx<TenantActor>, id: CampaignId) {
  return queryRows(
    ctx.db,
    creativeRow,
    sql`
      select fact.creative_id, ${sums} from line_item_creatives fact where fact.line_item_id in (${ownLineItems(ctx, id)})
      group by fact.creative_id order by fact.creative_id`,
  );
}

function restOf(all: readonly Counted[], parts: readonly Counted[]): Counted {
  const rest = (name: keyof Counted) => String(sum(all, name) - sum(parts, name));
  return {
    impressions: rest("impressions"),
    clicks: rest("clicks"),
    conversions: rest("conversions"),
    spend_micros: rest("spend_micros"),
  };
}

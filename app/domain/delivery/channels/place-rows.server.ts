import { sql } from "drizzle-orm";
import { z } from "zod";
import { columnValue, queryRows } from "#db/query-rows.server.ts";
import { audiences, lineItems } from "#db/schema/index.ts";
import type { CalendarDate } from "../../calendar-date.ts";
import type { Ctx } from "../../context.ts";
import type { AudienceId, CampaignId, LineItemId } from "../../ids.ts";
import type { DeliveryFigures } from "../delivery-figures.ts";
import type { DeliveryRow, RowRefusal } from "../delivery-row.ts";
import { arrayOf } from "../lock-campaigns.server.ts";
import type { ConnectableChannel } from "./connectable.ts";
import type { PlatformRow } from "./platform.ts";
import { readAudienceTag, readCampaignTag } from "./platform-tag.ts";

type Part = { campaignId: CampaignId; audienceIds: ReadonlySet<AudienceId> };

/**
 * A day's rows of a platform as ours: one for each audience of each line item, however many ad groups it has there. An ad
 * group without a tag is of the line item's only audience when it has one. What belongs to no line item, or is in another
 * currency, is its reason.
 */
export async function placeRows(
  ctx: Ctx,
  { rows, ...at }: { rows: readonly PlatformRow[]; day: CalendarDate; channel: ConnectableChannel; source: string },
): Promise<(DeliveryRow | RowRefusal)[]> {
  const ids = rows.map(({ campaignName }) => readCampaignTag(campaignName)?.lineItemId);
  const parts = await findParts(ctx, new Set(ids.flatMap((id) => id ?? [])));
  const placed = new Map<string, DeliveryRow>();
  const refused: RowRefusal[] = [];
  for (const [index, { campaignName: _, groupName, currency, ...figures }] of rows.entries()) {
    const id = ids[index];
    const part = id && parts.get(id);
    const audienceId = part && audienceOf(groupName, part);
    if (currency !== "USD") refused.push("other_currency");
    else if (!part) refused.push("unknown_line_item");
    else if (!audienceId) refused.push("foreign_audience");
    else {
      const key = `${id} ${audienceId}`;
      const { campaignId } = part;
      const known = placed.get(key);
      // What their ads are is not known of our creatives.
      placed.set(key, known ? sumOf(known, figures) : { ...at, ...figures, campaignId, audienceId, creatives: null });
    }
  }
  return [...placed.values(), ...refused];
}

/** People cannot be added: some may be in both. */
function sumOf(row: DeliveryRow, more: DeliveryFigures): DeliveryRow {
  return {
    ...row,
    impressions: row.impressions + more.impressions,
    clicks: row.clicks + more.clicks,
    conversions: row.conversions + more.conversions,
    spendMicros: row.spendMicros + more.spendMicros,
    revenueMicros: row.revenueMicros + more.revenueMicros,
    reach: null,
  };
}

function audienceOf(groupName: string, { audienceIds }: Part): AudienceId | undefined {
  const tagged = readAudienceTag(groupName);
  if (tagged) return audienceIds.has(tagged) ? tagged : undefined;
  const [only] = audienceIds;
  return audienceIds.size === 1 ? only : undefined;
}

const partRow = z.object({
  id: columnValue(lineItems.id),
  campaignId: columnValue(lineItems.campaignId),
  audienceIds: z.array(columnValue(audiences.id)),
});

/** The line items that there are, with their publishers' audiences in any version. */
async function findParts(ctx: Ctx, ids: ReadonlySet<LineItemId>): Promise<Map<LineItemId, Part>> {
  if (ids.size === 0) return new Map();
  const rows = await queryRows(
    ctx.db,
    partRow,
    sql`
      select item.id, item.campaign_id as "campaignId", array_agg(distinct chosen.audience_id::text) as "audienceIds"
      from line_items item join version_audiences chosen on chosen.campaign_id = item.campaign_id and chosen.publisher_id = item.publisher_id
      where item.id = any(${arrayOf([...ids])}::uuid[]) group by item.id`,
  );
  return new Map(
    rows.map(({ id, campaignId, audienceIds }) => [id, { campaignId, audienceIds: new Set(audienceIds) }]),
  );
}

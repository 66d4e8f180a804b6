import { sql } from "drizzle-orm";
import { z } from "zod";
import type { CalendarDate } from "#app/domain/calendar-date.ts";
import type { Ctx } from "#app/domain/context.ts";
import type { AudienceId, CampaignId, LineItemId } from "#app/domain/ids.ts";
import { columnValue, pgArray, queryRows } from "#db/query-rows.server.ts";
import { audiences, lineItems } from "#db/schema/index.ts";
import type { DeliveryFigures } from "../delivery-figures.ts";
import type { DeliveryRow, RowRejection } from "../delivery-row.ts";
import type { ConnectableChannel } from "./connectable.ts";
import type { PlatformRow } from "./platform.ts";
import { parseAudienceTag, parseCampaignTag } from "./platform-tag.ts";

type Part = { campaignId: CampaignId; audienceIds: ReadonlySet<AudienceId> };

/**
 * Maps a day's rows of a platform to delivery rows: one for each audience of each line item, summed over its ad groups.
 * An ad group without a tag belongs to the line item's audience if there is only one. A row without a line item, or in
 * another currency, becomes its rejection code. Google also reports ad groups that delivered nothing, such as those of
 * all campaigns that ended: a row without figures only restates a fact, and is left out otherwise.
 */
export async function mapPlatformRows(
  ctx: Ctx,
  { rows, ...at }: { rows: readonly PlatformRow[]; day: CalendarDate; channel: ConnectableChannel; source: string },
): Promise<(DeliveryRow | RowRejection)[]> {
  const ids = rows.map(({ campaignName }) => parseCampaignTag(campaignName)?.lineItemId);
  const parts = await findParts(ctx, new Set(ids.flatMap((id) => id ?? [])));
  const rowsByKey = new Map<string, DeliveryRow>();
  const emptyByKey = new Map<string, DeliveryRow>();
  const rejected: RowRejection[] = [];
  for (const [index, { campaignName: _, groupName, currency, ...figures }] of rows.entries()) {
    const id = ids[index];
    const part = id && parts.get(id);
    const audienceId = part && audienceOf(groupName, part);
    const isEmpty = isWithoutDelivery(figures);
    const code = currency !== "USD" ? "other_currency" : part ? "foreign_audience" : "unknown_line_item";
    if (!part || !audienceId || code === "other_currency") {
      if (!isEmpty) rejected.push(code);
      continue;
    }
    const key = `${id} ${audienceId}`;
    const { campaignId } = part;
    const sums = isEmpty ? emptyByKey : rowsByKey;
    const known = sums.get(key);
    // The platform's ads cannot be matched to our creatives.
    sums.set(key, known ? sumOf(known, figures) : { ...at, ...figures, campaignId, audienceId, creatives: null });
  }
  const reported = await findReported(ctx, { keys: emptyByKey.keys(), ...at });
  for (const [key, row] of emptyByKey) if (reported.has(key) && !rowsByKey.has(key)) rowsByKey.set(key, row);
  return [...[...rowsByKey.values()].map(toWholeRow), ...rejected];
}

function isWithoutDelivery({ impressions, clicks, conversions, spendMicros, revenueMicros }: DeliveryFigures): boolean {
  return Math.max(impressions, clicks, conversions, spendMicros, revenueMicros) === 0;
}

const reportedRow = z.object({ key: z.string() });

/** Returns those keys, of a line item and an audience, for which the source has reported the day already. */
async function findReported(
  ctx: Ctx,
  at: { keys: Iterable<string>; day: CalendarDate; channel: ConnectableChannel; source: string },
): Promise<Set<string>> {
  const ids = new Set([...at.keys].map((key) => key.slice(0, key.indexOf(" "))));
  if (ids.size === 0) return new Set();
  const rows = await queryRows(
    ctx.db,
    reportedRow,
    sql`
      select concat(line_item_id, ' ', audience_id) as key from line_item_audience_days
      where line_item_id = any(${pgArray(ids)}::uuid[]) and day = ${at.day}::date and channel = ${at.channel} and source = ${at.source}`,
  );
  return new Set(rows.map(({ key }) => key));
}

/**
 * Rounds the conversions of all ad groups together. A platform dates a click by when it happened, so that a day may
 * have more clicks than impressions, or clicks alone: they count up to the impressions, because the row's cost is real.
 */
function toWholeRow(row: DeliveryRow): DeliveryRow {
  return {
    ...row,
    clicks: Math.min(row.clicks, row.impressions),
    conversions: Math.round(row.conversions),
  };
}

/** Reach cannot be added: the same people may be in both. */
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
  const tagged = parseAudienceTag(groupName);
  if (tagged) return audienceIds.has(tagged) ? tagged : undefined;
  const [only] = audienceIds;
  return audienceIds.size === 1 ? only : undefined;
}

const partRow = z.object({
  id: columnValue(lineItems.id),
  campaignId: columnValue(lineItems.campaignId),
  audienceIds: z.array(columnValue(audiences.id)),
});

/** Reads the existing line items with their publisher's audiences in any version. */
async function findParts(ctx: Ctx, ids: ReadonlySet<LineItemId>): Promise<Map<LineItemId, Part>> {
  if (ids.size === 0) return new Map();
  const rows = await queryRows(
    ctx.db,
    partRow,
    sql`
      select item.id, item.campaign_id as "campaignId", array_agg(distinct chosen.audience_id::text) as "audienceIds"
      from line_items item join version_audiences chosen on chosen.campaign_id = item.campaign_id and chosen.publisher_id = item.publisher_id
      where item.id = any(${pgArray([...ids])}::uuid[]) group by item.id`,
  );
  return new Map(
    rows.map(({ id, campaignId, audienceIds }) => [id, { campaignId, audienceIds: new Set(audienceIds) }]),
  );
}

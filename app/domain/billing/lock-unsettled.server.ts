import { sql } from "drizzle-orm";
import { z } from "zod";
import { columnValue, pgArray, queryRows } from "#db/query-rows.server.ts";
import { campaigns, lineItemSettlements, lineItems } from "#db/schema/index.ts";
import type { CalendarDate } from "../calendar-date.ts";
import type { Ctx } from "../context.ts";
import { type LineItemId, nilId } from "../ids.ts";
import { asCents } from "../money.ts";
import type { SpendByMonth } from "./ledger/settlement-parts.ts";
import type { UnsettledLineItem } from "./ledger/spend-posting.ts";
import type { RefundTotals } from "./refunds/restate-refunds.server.ts";

/** The number of line items settled in one transaction; it limits how long the fee account is locked. */
const batchSize = 2_000;

export type SettledLineItem = UnsettledLineItem &
  RefundTotals & {
    campaignName: string;
    revision: number;
    settledMicros: bigint;
    settledByMonth: SpendByMonth;
    spendByMonth: SpendByMonth;
  };

const lockedRow = z.object({ id: columnValue(lineItems.id) });
const unsettledRow = z.object({
  id: columnValue(lineItems.id),
  advertiser_id: columnValue(campaigns.advertiserId),
  publisher_id: columnValue(lineItems.publisherId),
  campaign_name: columnValue(lineItems.campaignName),
  commission_rate_bps: columnValue(lineItems.commissionRateBps),
  revision: z.number(),
  settled_micros: z.string(),
  settled_by_month: columnValue(lineItemSettlements.spendByMonth).nullable(),
  spend_by_month: z.record(z.string(), z.string()).nullable(),
  settled_spend: z.string(),
  settled_earnings: z.string(),
  granted: z.string(),
  refunded: z.string(),
  refunded_earnings: z.string(),
  micros: z.string(),
});

/**
 * Locks and reads the next line items whose spend through the day may differ from the settled spend, so that no report
 * and no other settlement changes them meanwhile. The amounts are read after the lock: a statement that waits for a
 * lock sees the data from before the wait.
 */
export async function lockUnsettled(
  ctx: Ctx,
  { through, after }: { through: CalendarDate; after: string },
): Promise<{ items: SettledLineItem[]; last: LineItemId | undefined }> {
  const previous = after || nilId;
  const locked = await queryRows(
    ctx.db,
    lockedRow,
    sql`
      select item.id from unsettled_line_items due join line_items item on item.id = due.line_item_id
      where due.line_item_id > ${previous}::uuid order by due.line_item_id limit ${batchSize} for no key update of item`,
  );
  const ids = pgArray(locked.map(({ id }) => id));
  const rows = await queryRows(
    ctx.db,
    unsettledRow,
    sql`
      with delivered as (select line_item_id, left(day::text, 7) as month, sum(spend_micros) as micros from line_item_days where line_item_id = any(${ids}::uuid[]) and day <= ${through}::date group by 1, 2),
      monthly as (select line_item_id, sum(micros) as micros, json_object_agg(month, micros::text) filter (where micros <> 0) as by_month from delivered group by 1),
      given as (select line_item_id, sum(amount_cents) filter (where revision is null) as granted, sum(amount_cents) as refunded, sum(earnings_cents) as earnings
        from refunds where line_item_id = any(${ids}::uuid[]) group by 1)
      select item.id, campaign.advertiser_id, item.publisher_id, item.campaign_name, item.commission_rate_bps, coalesce(known.revision, 0) as revision,
        coalesce(known.spend_micros, 0)::text as settled_micros, known.spend_by_month as settled_by_month, monthly.by_month as spend_by_month, coalesce(known.spend_cents, 0)::text as settled_spend, coalesce(known.earnings_cents, 0)::text as settled_earnings,
        coalesce(given.granted, 0)::text as granted, coalesce(given.refunded, 0)::text as refunded, coalesce(given.earnings, 0)::text as refunded_earnings,
        coalesce(monthly.micros, 0)::text as micros
      from line_items item join campaigns campaign on campaign.id = item.campaign_id left join line_item_settlements known on known.line_item_id = item.id
      left join monthly on monthly.line_item_id = item.id left join given on given.line_item_id = item.id
      where item.id = any(${ids}::uuid[]) and coalesce(known.settled_through, '-infinity') <= ${through}::date order by item.id`,
  );
  return {
    last: locked.length < batchSize ? undefined : locked.at(-1)?.id,
    items: rows.map((row) => ({
      id: row.id,
      advertiserId: row.advertiser_id,
      publisherId: row.publisher_id,
      campaignName: row.campaign_name,
      commissionRateBps: row.commission_rate_bps,
      revision: row.revision,
      spendMicros: BigInt(row.micros),
      spendByMonth: row.spend_by_month ?? {},
      settledMicros: BigInt(row.settled_micros),
      settledByMonth: row.settled_by_month ?? {},
      settledSpend: asCents(Number(row.settled_spend)),
      settledEarnings: asCents(Number(row.settled_earnings)),
      operatorRefunded: asCents(Number(row.granted)),
      refunded: asCents(Number(row.refunded)),
      refundedEarnings: asCents(Number(row.refunded_earnings)),
    })),
  };
}

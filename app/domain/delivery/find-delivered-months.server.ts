import { type SQL, sql } from "drizzle-orm";
import { z } from "zod";
import { columnValue, queryRows } from "#db/query-rows.server.ts";
import { lineItemDays } from "#db/schema/index.ts";
import type { CalendarDate } from "../calendar-date.ts";
import type { Actor, Ctx } from "../context.ts";

const monthsRow = z.object({
  from: columnValue(lineItemDays.day).nullable(),
  to: columnValue(lineItemDays.day).nullable(),
});

/**
 * Returns the first and the last day of the months in which line items delivered, selected by `lineItemIds`; undefined
 * before their first delivery. Facts are partitioned by month: a query that names these days reads no other month.
 */
export async function findDeliveredMonths(
  ctx: Ctx<Actor>,
  lineItemIds: SQL,
): Promise<{ from: CalendarDate; to: CalendarDate } | undefined> {
  const [months] = await queryRows(
    ctx.db,
    monthsRow,
    sql`
      select min(month)::text as "from", (max(month) + interval '1 month - 1 day')::date::text as "to"
      from line_item_months where line_item_id in (${lineItemIds})`,
  );
  return months?.from && months.to ? { from: months.from, to: months.to } : undefined;
}

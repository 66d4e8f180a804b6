import { type SQL, sql } from "drizzle-orm";
import { z } from "zod";
import { columnValue, queryRows } from "#db/query-rows.server.ts";
import { lineItemDays } from "#db/schema/index.ts";
import type { CalendarDate } from "../calendar-date.ts";
import type { Actor, Ctx } from "../context.ts";
import { idSchema, type LineItemId } from "../ids.ts";

const monthsRow = z.object({
  from: columnValue(lineItemDays.day).nullable(),
  to: columnValue(lineItemDays.day).nullable(),
  delivered: z.array(idSchema<LineItemId>()).nullable(),
});

/**
 * Returns which of the line items selected by `lineItemIds` delivered, and the first and the last day of the months in
 * which they did; undefined before their first delivery. Facts are partitioned by month, so a query that names these
 * days reads no other month; one that names these ids needs no other table to find their facts (docs/decisions/0105).
 */
export async function findDeliveredMonths(
  ctx: Ctx<Actor>,
  lineItemIds: SQL,
): Promise<{ from: CalendarDate; to: CalendarDate; lineItemIds: LineItemId[] } | undefined> {
  const [months] = await queryRows(
    ctx.db,
    monthsRow,
    sql`
      select min(month)::text as "from", (max(month) + interval '1 month - 1 day')::date::text as "to",
        json_agg(distinct line_item_id) as delivered
      from (${lineItemIds} offset 0) own (id) cross join lateral (select line_item_id, month from line_item_months where line_item_id = own.id offset 0) known`,
  );
  const { from, to, delivered } = months ?? {};
  return from && to && delivered ? { from, to, lineItemIds: delivered } : undefined;
}

import { sql } from "drizzle-orm";
import { z } from "zod";
import { queryRows } from "#db/query-rows.server.ts";
import { addDays, calendarDateOf } from "../calendar-date.ts";
import type { Ctx, JobActor } from "../context.ts";

/** How long ahead partitions exist. A server that runs no jobs for longer writes to the default partitions. */
const daysAhead = 92;
const countRow = z.object({ count: z.number() });

/**
 * Creates the partitions of this month and the next three where they are missing, and moves what is in the default
 * partitions to those of its months (docs/decisions/0101). Fails without an effect while a table is locked. Returns
 * how many were created.
 */
export async function createMonthPartitions(ctx: Ctx<JobActor>): Promise<number> {
  const until = addDays(calendarDateOf(ctx.clock()), daysAhead);
  const [created] = await queryRows(ctx.db, countRow, sql`select create_month_partitions(${until}::date) as count`);
  const count = created?.count ?? 0;
  // In a transaction of its own: the one before locks the default partitions.
  if (count > 0) await ctx.db.execute(sql`select analyze_month_tables()`);
  return count;
}

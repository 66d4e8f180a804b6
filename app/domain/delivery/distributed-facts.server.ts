import { type SQL, sql } from "drizzle-orm";
import { z } from "zod";
import { queryRows } from "#db/query-rows.server.ts";
import type { Ctx } from "../context.ts";
import type { DeliveryReportId } from "../ids.ts";
import { invariant } from "../invariant.ts";

/** The tables that facts are written to besides: their triggers sum what changes (db/distribution/distribution-statements.server.ts). */
export type FactTable = "deliveries" | "delivery_additions" | "delivery_restatements";

const stateRow = z.object({ distributed: z.boolean() });

/**
 * Returns whether facts are distributed over several machines (docs/decisions/0107). Holds until the end of the
 * transaction if it has read facts before, because their table is locked while they are distributed.
 */
export async function areFactsDistributed(ctx: Ctx): Promise<boolean> {
  const [row] = await queryRows(
    ctx.db,
    stateRow,
    sql`select to_regclass('public.delivery_additions') is not null as distributed`,
  );
  return row?.distributed === true;
}

const columnNames =
  "line_item_id, publisher_id, day, audience_id, channel, source, revision, impressions, clicks, conversions, spend_micros, revenue_micros, reported_micros, reach, creatives, report_id";
const columns = sql.raw(columnNames);
const columnsOfFacts = sql.raw(columnNames.replace(/\w+/g, "deliveries.$&"));

/** Sums new facts, which `write` inserts into a table of theirs. */
export async function sumAdditions(ctx: Ctx, write: (table: FactTable) => Promise<unknown>): Promise<void> {
  await write("delivery_additions");
  await ctx.db.execute(sql`delete from delivery_additions`);
}

/**
 * Restates facts and sums the difference: `write` updates them in a table of theirs. `restated` is the condition for the
 * facts of `fact`, with a join of `given` where it needs one.
 */
export async function sumRestatements(
  ctx: Ctx,
  input: { given: SQL; restated: SQL; count: number; reportId: DeliveryReportId },
  write: (table: FactTable) => Promise<unknown>,
): Promise<void> {
  const { given, restated, count, reportId } = input;
  const copied = await ctx.db.execute(sql`
    insert into delivery_restatements (${columns})
    select ${columnsOfFacts}
    from ${given} join deliveries on ${restated}`);
  invariant(copied.count === count, "restated facts vanished", { copied: copied.count, count });
  await ctx.db.execute(sql`
    insert into delivery_revisions (${columns}, replaced_by) select ${columns}, ${reportId}::uuid from delivery_restatements`);
  await write("deliveries");
  await write("delivery_restatements");
  await ctx.db.execute(sql`delete from delivery_restatements`);
}

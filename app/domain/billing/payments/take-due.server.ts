import { sql } from "drizzle-orm";
import { z } from "zod";
import { columnValue, queryRows } from "#db/query-rows.server.ts";
import type { payouts, planChanges, topUps } from "#db/schema/index.ts";
import type { Ctx, JobActor } from "../../context.ts";

/** Longer than a provider takes to answer; then another process may try. */
const leaseMs = 120_000;

type Due = typeof planChanges | typeof topUps | typeof payouts;

/**
 * Takes the row of a table that is due the longest, for as long as a provider may be asked about it: of several processes one gets
 * it, and it is due again when that one breaks off.
 */
export async function takeDue<Table extends Due>(
  ctx: Ctx<JobActor>,
  table: Table,
): Promise<Table["$inferSelect"]["id"] | undefined> {
  const now = ctx.clock();
  const [at, later] = [now.toISOString(), new Date(now.getTime() + leaseMs).toISOString()];
  const dueRow = z.object({ id: columnValue(table.id) });
  const [row] = await queryRows(
    ctx.db,
    dueRow,
    sql`
      update ${table} set due_at = ${later}::timestamptz
      where id = (select id from ${table} where due_at <= ${at}::timestamptz order by due_at limit 1 for update skip locked)
        and due_at <= ${at}::timestamptz
      returning id`,
  );
  return row?.id;
}

import { sql } from "drizzle-orm";
import { z } from "zod";
import type { Ctx, JobActor } from "#app/domain/context.ts";
import { columnValue, queryRows } from "#db/query-rows.server.ts";
import type { payouts, planChanges, topUps } from "#db/schema/index.ts";

/** The lease, in milliseconds: longer than a provider takes to respond. After it another process may try. */
const leaseMs = 120_000;

type DueTable = typeof planChanges | typeof topUps | typeof payouts;

/**
 * Claims the row that has been due longest and leases it for two minutes. If the process dies, the row becomes due
 * again. Returns undefined when no row is due.
 */
export async function claimDue<Table extends DueTable>(
  ctx: Ctx<JobActor>,
  table: Table,
): Promise<Table["$inferSelect"]["id"] | undefined> {
  const now = ctx.clock();
  const [at, leaseExpiry] = [now.toISOString(), new Date(now.getTime() + leaseMs).toISOString()];
  const dueRow = z.object({ id: columnValue(table.id) });
  const [row] = await queryRows(
    ctx.db,
    dueRow,
    sql`
      update ${table} set due_at = ${leaseExpiry}::timestamptz
      where id = (select id from ${table} where due_at <= ${at}::timestamptz order by due_at limit 1 for update skip locked)
        and due_at <= ${at}::timestamptz
      returning id`,
  );
  return row?.id;
}

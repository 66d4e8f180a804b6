import { sql } from "drizzle-orm";
import type { planChanges, topUps } from "#db/schema/index.ts";
import type { Ctx, JobActor } from "../../context.ts";
import { DomainError } from "../../errors.ts";

/** In one run, so that a run ends; the next goes on. */
const most = 200;
/** Longer than a provider takes to answer; then another process may try. */
const leaseMs = 120_000;

type Due = typeof planChanges | typeof topUps;

/**
 * Looks after the payments of a table that are due, the longest due first: those whose process was cut off, and those that wait
 * for a person. One at a time, so that several processes share them; where the provider does not answer, one is due again after
 * its lease. `lookAfter` says whether it came to an end; gives how many did.
 */
export async function finishDue<Table extends Due>(
  ctx: Ctx<JobActor>,
  table: Table,
  lookAfter: (id: Table["$inferSelect"]["id"]) => Promise<boolean>,
): Promise<number> {
  let ended = 0;
  for (let count = 0; count < most; count += 1) {
    const id = await takeDue(ctx, table);
    if (!id) break;
    try {
      ended += (await lookAfter(id)) ? 1 : 0;
    } catch (error) {
      if (!(error instanceof DomainError && error.code === "unavailable")) throw error;
    }
  }
  return ended;
}

async function takeDue<Table extends Due>(
  ctx: Ctx<JobActor>,
  table: Table,
): Promise<Table["$inferSelect"]["id"] | undefined> {
  const now = ctx.clock();
  const [at, later] = [now.toISOString(), new Date(now.getTime() + leaseMs).toISOString()];
  const [row] = await ctx.db.execute<{ id: Table["$inferSelect"]["id"] }>(sql`
    update ${table} set due_at = ${later}::timestamptz
    where id = (select id from ${table} where due_at <= ${at}::timestamptz order by due_at limit 1 for update skip locked)
      and due_at <= ${at}::timestamptz
    returning id`);
  return row?.id;
}

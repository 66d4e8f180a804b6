import type { Ctx, JobActor } from "#app/domain/context.ts";
import { DomainError } from "#app/domain/errors.ts";
import type { planChanges, topUps } from "#db/schema/index.ts";
import { claimDue } from "./claim-due.server.ts";

/** The maximum number of payments in one run; the next run continues. */
const maxPayments = 200;

/**
 * Finishes the due payments of a table, the longest due first: those whose process was interrupted, and those that wait
 * for confirmation. One at a time, so that several processes share them. A payment whose provider does not respond is
 * due again after its lease. `finish` returns whether the payment reached a final status. Returns how many did.
 */
export async function finishDuePayments<Table extends typeof planChanges | typeof topUps>(
  ctx: Ctx<JobActor>,
  table: Table,
  finish: (id: Table["$inferSelect"]["id"]) => Promise<boolean>,
): Promise<number> {
  let finished = 0;
  for (let count = 0; count < maxPayments && !ctx.stopping?.aborted; count += 1) {
    const id = await claimDue(ctx, table);
    if (!id) break;
    try {
      finished += (await finish(id)) ? 1 : 0;
    } catch (error) {
      if (!(error instanceof DomainError && error.code === "unavailable")) throw error;
    }
  }
  return finished;
}

import type { planChanges, topUps } from "#db/schema/index.ts";
import type { Ctx, JobActor } from "../../context.ts";
import { DomainError } from "../../errors.ts";
import { takeDue } from "./take-due.server.ts";

/** In one run, so that a run ends; the next goes on. */
const most = 200;

/**
 * Looks after the payments of a table that are due, the longest due first: those whose process was cut off, and those that wait
 * for a person. One at a time, so that several processes share them; where the provider does not answer, one is due again after
 * its lease. `lookAfter` says whether it came to an end; gives how many did.
 */
export async function finishDue<Table extends typeof planChanges | typeof topUps>(
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

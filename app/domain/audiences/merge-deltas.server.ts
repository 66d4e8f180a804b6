import { isNotNull } from "drizzle-orm";
import { audiences } from "#db/schema/index.ts";
import type { Ctx, JobActor } from "../context.ts";
import type { AudienceId } from "../ids.ts";
import { reportError } from "../report-error.ts";
import { isMergeDue } from "./members/delta-policy.ts";
import { rewriteMembers } from "./rewrite-members.server.ts";

/** Merges the deltas of audiences into their bases where they are large or old. Returns the number of audiences. */
export async function mergeDueDeltas(ctx: Ctx<JobActor>): Promise<number> {
  const found = await ctx.db
    .select({ id: audiences.id, deltas: audiences.deltas })
    .from(audiences)
    .where(isNotNull(audiences.deltas));
  const due = found.filter(({ deltas }) => deltas !== null && isMergeDue(deltas, ctx.clock()));
  let count = 0;
  for (const { id } of due) {
    if (ctx.stopping?.aborted) break;
    // One audience whose objects cannot be read does not keep the others from it.
    const isMerged = await mergeDeltas(ctx, id).catch((error: unknown) => {
      reportError(ctx, error, { work: "merge_deltas", audienceId: id });
      return false;
    });
    if (isMerged) count += 1;
  }
  return count;
}

/**
 * Merges an audience's deltas into a new base. Returns false when there was nothing to do, or another process is at it.
 */
export async function mergeDeltas(ctx: Ctx<JobActor>, id: AudienceId): Promise<boolean> {
  return (await rewriteMembers(ctx, id, { isDue: ({ deltas }) => deltas !== null })) === "rewritten";
}

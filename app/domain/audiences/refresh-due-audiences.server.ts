import { and, asc, eq, inArray, lte } from "drizzle-orm";
import { audienceConnections, audiences } from "#db/schema/index.ts";
import type { Ctx, JobActor } from "../context.ts";
import { DomainError } from "../errors.ts";
import { type Program, programs } from "./data-source.ts";
import { refreshAudience } from "./refresh-audience.server.ts";

/** Begun in one run, so that one process does not hold them all. */
const atOnce = 4;

/**
 * Begins the refreshes that are due, by the frequency that each audience's publisher chose. Several processes may run it:
 * an audience's refresh is begun by one of them. Answers how many were begun.
 */
export async function refreshDueAudiences(ctx: Ctx<JobActor>): Promise<number> {
  const due = await ctx.db
    .select({ id: audiences.id, accountId: audiences.publisherId })
    .from(audiences)
    .innerJoin(audienceConnections, eq(audienceConnections.publisherId, audiences.publisherId))
    .where(
      and(
        lte(audiences.nextRefreshAt, ctx.clock()),
        inArray(audiences.dataSource, [...programs] satisfies Program[]),
        eq(audienceConnections.program, audiences.dataSource),
      ),
    )
    .orderBy(asc(audiences.nextRefreshAt))
    .limit(atOnce);
  let begun = 0;
  for (const { id, accountId } of due) {
    try {
      await refreshAudience({ ...ctx, actor: { kind: "publisher", accountId } }, id);
      begun += 1;
    } catch (error) {
      // Begun by another process, or no longer possible: both are seen on the audience.
      if (!(error instanceof DomainError)) throw error;
    }
  }
  return begun;
}

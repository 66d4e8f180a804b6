import { and, asc, eq, inArray, lte } from "drizzle-orm";
import { audienceConnections, audiences } from "#db/schema/index.ts";
import type { Ctx, JobActor } from "../context.ts";
import { DomainError } from "../errors.ts";
import type { AudienceId } from "../ids.ts";
import { countImports } from "../running-imports.server.ts";
import { type Program, programs } from "./data-source.ts";
import { refreshAudience } from "./refresh-audience.server.ts";

/** Imports that a process has under way at most when it begins another: a long list holds a thread for minutes. */
const atOnce = 4;
/** In milliseconds. */
const hour = 60 * 60 * 1000;

/**
 * Begins the refreshes that are due, by the frequency that each audience's publisher chose. Several processes may run it:
 * an audience's refresh is begun by one of them. Answers how many were begun.
 */
export async function refreshDueAudiences(ctx: Ctx<JobActor>): Promise<number> {
  const free = atOnce - countImports();
  if (free <= 0) return 0;
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
    .limit(free);
  let begun = 0;
  for (const { id, accountId } of due) {
    try {
      await refreshAudience({ ...ctx, actor: { kind: "publisher", accountId } }, id);
      begun += 1;
    } catch (error) {
      if (!(error instanceof DomainError)) throw error;
      await putOff(ctx, id);
    }
  }
  return begun;
}

/** Begun by another process, or not possible now, such as without the plan: others that are due have their turn. */
async function putOff(ctx: Ctx<JobActor>, id: AudienceId): Promise<void> {
  const now = ctx.clock();
  await ctx.db
    .update(audiences)
    .set({ nextRefreshAt: new Date(now.getTime() + hour) })
    .where(and(eq(audiences.id, id), lte(audiences.nextRefreshAt, now)));
}

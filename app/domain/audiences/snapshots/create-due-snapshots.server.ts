import { and, asc, eq, gt, isNull, lt, or } from "drizzle-orm";
import { audienceSnapshots, audiences } from "#db/schema/index.ts";
import { calendarDateOf } from "../../calendar-date.ts";
import type { Ctx, JobActor } from "../../context.ts";
import type { AudienceId } from "../../ids.ts";
import { currentSnapshots } from "./current-snapshots.server.ts";

const batchSize = 100;
/** How long the job waits for the storage of an audience's people, in milliseconds. */
const readMs = 60_000;

/** Creates the day's snapshots of all ready audiences, so that no page has to wait for them. Returns their number. */
export async function createDueSnapshots(ctx: Ctx<JobActor>): Promise<number> {
  const day = calendarDateOf(ctx.clock());
  let after: AudienceId | undefined;
  for (let count = 0; ; ) {
    const due = await ctx.db
      .select({ id: audiences.id })
      .from(audiences)
      .leftJoin(audienceSnapshots, eq(audienceSnapshots.audienceId, audiences.id))
      .where(
        and(
          eq(audiences.status, "ready"),
          or(isNull(audienceSnapshots.takenOn), lt(audienceSnapshots.takenOn, day)),
          after && gt(audiences.id, after),
        ),
      )
      .orderBy(asc(audiences.id))
      .limit(batchSize);
    const ids = due.map(({ id }) => id);
    await currentSnapshots(ctx, ids, { readMs });
    count += ids.length;
    // Audiences that stay locked, or cannot be read, are left to the next run.
    after = ids.at(-1);
    if (ids.length < batchSize || ctx.stopping?.aborted) return count;
  }
}

import { and, eq, isNull, lt, or } from "drizzle-orm";
import { audienceSnapshots, audiences } from "#db/schema/index.ts";
import { calendarDateOf } from "../../calendar-date.ts";
import type { Ctx, JobActor } from "../../context.ts";
import { currentSnapshots } from "./current-snapshots.server.ts";

const atOnce = 100;

/** Takes the day's snapshots of all audiences that can be chosen, so that no page has to wait for them. Returns their number. */
export async function takeDueSnapshots(ctx: Ctx<JobActor>): Promise<number> {
  const day = calendarDateOf(ctx.clock());
  for (let count = 0; ; ) {
    const due = await ctx.db
      .select({ id: audiences.id })
      .from(audiences)
      .leftJoin(audienceSnapshots, eq(audienceSnapshots.audienceId, audiences.id))
      .where(
        and(eq(audiences.status, "ready"), or(isNull(audienceSnapshots.takenOn), lt(audienceSnapshots.takenOn, day))),
      )
      .limit(atOnce);
    const ids = due.map(({ id }) => id);
    await currentSnapshots(ctx, ids);
    count += ids.length;
    // What is locked for long waits for the next run.
    if (ids.length < atOnce) return count;
  }
}

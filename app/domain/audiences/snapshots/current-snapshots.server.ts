import { and, eq, inArray, lt } from "drizzle-orm";
import { audienceSnapshots, audiences } from "#db/schema/index.ts";
import { calendarDateOf } from "../../calendar-date.ts";
import type { Ctx } from "../../context.ts";
import { DomainError } from "../../errors.ts";
import type { AudienceId } from "../../ids.ts";
import { reportError } from "../../report-error.ts";
import { inTransaction, isLockTimeout } from "../../transaction.server.ts";
import { createSnapshot } from "./create-snapshot.server.ts";
import { type PeopleRange, publishedSize, type SnapshotFacts } from "./published-size.server.ts";

/** How long a page waits for the storage of an audience's people, in milliseconds. */
const pageReadMs = 3_000;

/**
 * Returns today's snapshots of audiences that the caller may see. Missing ones are created now; an audience that has
 * not changed since its last snapshot reuses it, with its noise. While a change of its people locks an audience for
 * long, or its objects cannot be read within `readMs`, its last snapshot is used; without one the audience is omitted.
 */
export async function currentSnapshots(
  ctx: Ctx,
  ids: readonly AudienceId[],
  { readMs = pageReadMs }: { readMs?: number } = {},
): Promise<SnapshotFacts[]> {
  if (ids.length === 0) return [];
  const day = calendarDateOf(ctx.clock());
  const rows = await select(ctx, ids);
  const outdated = rows.filter(({ takenOn }) => takenOn === null || takenOn < day);
  if (outdated.length === 0) return rows.map(({ facts }) => facts);
  const unchanged = outdated.filter(({ isUnchanged }) => isUnchanged).map(({ id }) => id);
  if (unchanged.length > 0) await extendToToday(ctx, unchanged);
  const due = outdated.filter(({ isUnchanged }) => !isUnchanged).map(({ id }) => id);
  for (const id of due) {
    const signal = AbortSignal.timeout(readMs);
    await createSnapshot(ctx, { id, day, signal }).catch((error: unknown) => {
      if (isLockTimeout(error)) return;
      if (!(error instanceof DomainError && error.code === "unavailable")) throw error;
      reportError(ctx, error.cause, { work: "take_snapshot", audienceId: id });
    });
    // The storage would be as slow for the others.
    if (signal.aborted) break;
  }
  return (await select(ctx, ids)).filter(({ takenOn }) => takenOn !== null).map(({ facts }) => facts);
}

/** Returns the published size ranges of audiences that are ready and that the caller may see. */
export async function publishedSizes(ctx: Ctx, ids: readonly AudienceId[]): Promise<Map<AudienceId, PeopleRange>> {
  const snapshots = await currentSnapshots(ctx, ids);
  return new Map(snapshots.map((snapshot) => [snapshot.audienceId, publishedSize(snapshot)]));
}

async function select(ctx: Ctx, ids: readonly AudienceId[]) {
  const rows = await ctx.db
    .select({
      id: audiences.id,
      current: audiences.version,
      takenOn: audienceSnapshots.takenOn,
      version: audienceSnapshots.version,
      erasures: audienceSnapshots.erasures,
      size: audienceSnapshots.size,
    })
    .from(audiences)
    .leftJoin(audienceSnapshots, eq(audienceSnapshots.audienceId, audiences.id))
    .where(inArray(audiences.id, [...ids]));
  return rows.map(({ id, current, takenOn, version, erasures, size }) => ({
    id,
    takenOn,
    isUnchanged: version === current && erasures === 0,
    facts: { audienceId: id, version: version ?? 0, erasures: erasures ?? 0, size: size ?? 0 },
  }));
}

/**
 * Extends snapshots to today. An audience that changes at this moment is shown with its earlier size until tomorrow.
 */
async function extendToToday(ctx: Ctx, ids: readonly AudienceId[]): Promise<void> {
  const day = calendarDateOf(ctx.clock());
  // inTransaction retries when another request wrote the same rows in another order.
  await inTransaction(ctx, async ({ db }) => {
    await db
      .update(audienceSnapshots)
      .set({ takenOn: day })
      .where(and(inArray(audienceSnapshots.audienceId, [...ids]), lt(audienceSnapshots.takenOn, day)));
  });
}

import { and, eq, inArray, lt } from "drizzle-orm";
import { audienceSnapshots, audiences } from "#db/schema/index.ts";
import { calendarDateOf } from "../../calendar-date.ts";
import type { Ctx } from "../../context.ts";
import type { AudienceId } from "../../ids.ts";
import { inTransaction, sqlState } from "../../transaction.server.ts";
import { type PeopleRange, publishedSize, type SnapshotFacts } from "./published-size.server.ts";
import { takeSnapshot } from "./take-snapshot.server.ts";

/** The SQLSTATE of a wait for a lock that took too long. */
const lockTimeout = "55P03";

/**
 * The snapshots of today of audiences that the caller may know of. What nobody asked for on the day yet is taken now; an audience
 * that did not change since its last snapshot keeps it, with its noise. While an audience is locked for long by a change of its
 * people, its last snapshot stands, and one without any is left out.
 */
export async function currentSnapshots(ctx: Ctx, ids: readonly AudienceId[]): Promise<SnapshotFacts[]> {
  if (ids.length === 0) return [];
  const day = calendarDateOf(ctx.clock());
  const found = await select(ctx, ids);
  const old = found.filter(({ takenOn }) => takenOn === null || takenOn < day);
  if (old.length === 0) return found.map(({ facts }) => facts);
  const same = old.filter(({ isUnchanged }) => isUnchanged).map(({ id }) => id);
  if (same.length > 0) await keepForToday(ctx, same);
  const due = old.filter(({ isUnchanged }) => !isUnchanged).map(({ id }) => id);
  for (const id of due) {
    await takeSnapshot(ctx, { id, day }).catch((error: unknown) => {
      if (sqlState(error) !== lockTimeout) throw error;
    });
  }
  return (await select(ctx, ids)).filter(({ takenOn }) => takenOn !== null).map(({ facts }) => facts);
}

/** In which steps others are told the sizes of audiences. The caller may know of them, and they can be chosen. */
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

/** Keeps snapshots for today too: an audience that changes at this moment is shown as it was until tomorrow. */
async function keepForToday(ctx: Ctx, ids: readonly AudienceId[]): Promise<void> {
  const day = calendarDateOf(ctx.clock());
  // A transaction is tried again when another request wrote the same rows in another order.
  await inTransaction(ctx, async ({ db }) => {
    await db
      .update(audienceSnapshots)
      .set({ takenOn: day })
      .where(and(inArray(audienceSnapshots.audienceId, [...ids]), lt(audienceSnapshots.takenOn, day)));
  });
}

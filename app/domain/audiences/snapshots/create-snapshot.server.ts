import { and, eq, lt, ne, sql } from "drizzle-orm";
import type { Database } from "#db/client.server.ts";
import { audienceSnapshots, audiences } from "#db/schema/index.ts";
import type { CalendarDate } from "../../calendar-date.ts";
import type { Ctx } from "../../context.ts";
import type { AudienceId } from "../../ids.ts";
import { inTransaction } from "../../transaction.server.ts";
import { openMembers, readMembers } from "../members/audience-members.server.ts";
import { hashBytes } from "../members/block.ts";
import { indexRange, sampleHashRange } from "../members/hash-sample.ts";
import { personCount } from "../members/identifier-flags.ts";
import { maxAtLevel, maxPeople, personBytes, requiredLevel } from "./people-sample.ts";
import { noisySize } from "./published-size.server.ts";

/** A page request does not wait for a change of thousands of people. In milliseconds. */
const lockTimeoutMs = 300;

/**
 * Creates the snapshot of an audience for a day, unless another request has just created it or the audience was archived
 * meanwhile. The audience is locked: an erasure runs either before it and is in the snapshot, or after it and finds the
 * snapshot.
 */
export async function createSnapshot(ctx: Ctx, { id, day }: { id: AudienceId; day: CalendarDate }): Promise<void> {
  await inTransaction(ctx, async ({ db }) => {
    await db.execute(sql.raw(`set local lock_timeout = ${lockTimeoutMs}`));
    const [audience] = await db
      .select({ version: audiences.version, size: audiences.size })
      .from(audiences)
      .where(and(eq(audiences.id, id), ne(audiences.status, "archived")))
      .for("share");
    if (!audience) return;
    const facts = { ...audience, audienceId: id, erasures: 0 };
    const size = noisySize(facts);
    const level = requiredLevel(size, maxPeople);
    const people = await readPeople(db, id, { level, max: maxAtLevel(size, level) });
    const snapshot = { ...facts, takenOn: day, level, people };
    await db
      .insert(audienceSnapshots)
      .values(snapshot)
      .onConflictDoUpdate({
        target: audienceSnapshots.audienceId,
        set: snapshot,
        setWhere: lt(audienceSnapshots.takenOn, sql`excluded.taken_on`),
      });
  });
}

/**
 * Returns the people of an audience in the lowest 2^-level of all hashes, at most `max`, in the format of snapshots.
 */
export async function readPeople(
  db: Database,
  audienceId: AudienceId,
  { level, max }: { level: number; max: number },
): Promise<Buffer> {
  const range = sampleHashRange(2 ** -level);
  const members = await openMembers(db, audienceId, { below: range.to });
  if (!members) return Buffer.alloc(0);
  const lists: Buffer[] = [];
  let count = 0;
  for await (const block of readMembers(db, members, { range })) {
    const { start, end } = indexRange(block, range);
    const list = Buffer.allocUnsafe((end - start) * personBytes);
    let length = 0;
    for (let index = start; index < end; index += 1) {
      if (personCount(block.flags[index] ?? 0) === 0) continue;
      list.set(block.hashes.subarray(index * hashBytes, index * hashBytes + personBytes), length);
      length += personBytes;
    }
    lists.push(list.subarray(0, length));
    count += length / personBytes;
    if (count >= max) break;
  }
  return Buffer.concat(lists);
}

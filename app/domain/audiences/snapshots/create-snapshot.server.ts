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
import { peopleUnavailable } from "../members/stores/object-trouble.ts";
import { maxAtLevel, maxPeople, personBytes, requiredLevel } from "./people-sample.ts";
import { noisySize } from "./published-size.server.ts";

/** A page request does not wait for a change of thousands of people. In milliseconds. */
const lockTimeoutMs = 300;
/** An audience that changes each time while its people are read is left to a later request. */
const maxReads = 3;

type SnapshotOf = { id: AudienceId; day: CalendarDate };

/**
 * Creates the snapshot of an audience for a day, unless another request has just created it or the audience was
 * archived meanwhile. Its people are read without a lock, and read again when the audience changed meanwhile. It is
 * locked while they are stored: an erasure runs either before that and is in the snapshot, or after it and finds the
 * snapshot. Throws `unavailable` when the storage of objects fails, or has not responded when the signal aborts.
 */
export async function createSnapshot(ctx: Ctx, { signal, ...of }: SnapshotOf & { signal: AbortSignal }): Promise<void> {
  for (let reads = 0; reads < maxReads; reads += 1) {
    const audience = await findAudience(ctx.db, of.id);
    if (!audience) return;
    const facts = { version: audience.version, size: audience.size, audienceId: of.id, erasures: 0 };
    const size = noisySize(facts);
    const level = requiredLevel(size, maxPeople);
    const reading = readPeople(ctx.db, of.id, { level, max: maxAtLevel(size, level), signal });
    const people = await untilAborted(reading, signal);
    if (await storeIfUnchanged(ctx, { ...of, audience, snapshot: { ...facts, level, people } })) return;
  }
}

type Counted = Pick<typeof audiences.$inferSelect, "version" | "size" | "generation">;

async function findAudience(db: Database, id: AudienceId): Promise<Counted | undefined> {
  const { version, size, generation } = audiences;
  const [audience] = await db
    .select({ version, size, generation })
    .from(audiences)
    .where(and(eq(audiences.id, id), ne(audiences.status, "archived")));
  return audience;
}

/** Rejects with `unavailable` once the signal aborts; the work ends by itself. */
function untilAborted<T>(work: Promise<T>, signal: AbortSignal): Promise<T> {
  return new Promise((resolve, reject) => {
    const abort = () => reject(peopleUnavailable(signal.reason));
    if (signal.aborted) abort();
    signal.addEventListener("abort", abort);
    work.then(resolve, reject).finally(() => signal.removeEventListener("abort", abort));
  });
}

type NewSnapshot = SnapshotOf & {
  /** As it was before its people were read. */
  audience: Counted;
  snapshot: Omit<typeof audienceSnapshots.$inferInsert, "takenOn">;
};

/** Returns false, without storing anything, when the audience has changed, or its people are in another generation. */
async function storeIfUnchanged(ctx: Ctx, { id, day, audience, snapshot }: NewSnapshot): Promise<boolean> {
  return inTransaction(ctx, async ({ db }) => {
    await db.execute(sql.raw(`set local lock_timeout = ${lockTimeoutMs}`));
    const { version, generation } = audiences;
    const [now] = await db
      .select({ version, generation })
      .from(audiences)
      .where(and(eq(audiences.id, id), ne(audiences.status, "archived")))
      .for("share");
    if (!now) return true;
    // Of a generation that was replaced, perhaps not all people were read.
    if (now.version !== audience.version || now.generation !== audience.generation) return false;
    const row = { ...snapshot, takenOn: day };
    await db
      .insert(audienceSnapshots)
      .values(row)
      .onConflictDoUpdate({
        target: audienceSnapshots.audienceId,
        set: row,
        setWhere: lt(audienceSnapshots.takenOn, sql`excluded.taken_on`),
      });
    return true;
  });
}

/**
 * Returns the people of an audience in the lowest 2^-level of all hashes, at most `max`, in the format of snapshots.
 * Ends at the next block once the signal aborts.
 */
export async function readPeople(
  db: Database,
  audienceId: AudienceId,
  { level, max, signal }: { level: number; max: number; signal?: AbortSignal },
): Promise<Buffer> {
  const range = sampleHashRange(2 ** -level);
  const members = await openMembers(db, audienceId, { below: range.to });
  if (!members) return Buffer.alloc(0);
  const lists: Buffer[] = [];
  let count = 0;
  for await (const block of readMembers(db, members, { range })) {
    signal?.throwIfAborted();
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

import { eq, lt, sql } from "drizzle-orm";
import type { Database } from "#db/client.server.ts";
import { audienceSnapshots, audiences } from "#db/schema/index.ts";
import type { CalendarDate } from "../../calendar-date.ts";
import type { Ctx } from "../../context.ts";
import type { AudienceId } from "../../ids.ts";
import { inTransaction } from "../../transaction.server.ts";
import { type Generation, readBlocks } from "../members/audience-blocks.server.ts";
import { hashBytes } from "../members/block.ts";
import { rangeOf, within } from "../members/sample.ts";
import { countOf } from "../members/tag.ts";
import { levelOf, maxAtLevel, maxPeople, personBytes } from "./people-sample.ts";
import { noisySize } from "./published-size.server.ts";

/** A page does not wait for a change of thousands of people. */
const lockTimeoutMs = 300;

/**
 * Takes the snapshot of an audience for a day, unless another request has just taken it. The audience is locked meanwhile, so
 * that an erasure comes either before, and is in the snapshot, or after, and finds the snapshot.
 */
export async function takeSnapshot(ctx: Ctx, { id, day }: { id: AudienceId; day: CalendarDate }): Promise<void> {
  await inTransaction(ctx, async ({ db }) => {
    await db.execute(sql.raw(`set local lock_timeout = ${lockTimeoutMs}`));
    const [audience] = await db
      .select({ generation: audiences.generation, version: audiences.version, size: audiences.size })
      .from(audiences)
      .where(eq(audiences.id, id))
      .for("share");
    if (!audience) return;
    const { generation, ...rest } = audience;
    const facts = { ...rest, audienceId: id, erasures: 0 };
    const size = noisySize(facts);
    const level = levelOf(size, maxPeople);
    const people = await readPeople(db, { audienceId: id, generation }, { level, max: maxAtLevel(size, level) });
    const taken = { ...facts, takenOn: day, level, people };
    await db
      .insert(audienceSnapshots)
      .values(taken)
      .onConflictDoUpdate({
        target: audienceSnapshots.audienceId,
        set: taken,
        setWhere: lt(audienceSnapshots.takenOn, sql`excluded.taken_on`),
      });
  });
}

/** The people of an audience who are in the lowest 2^-level of all hashes, `max` at most, as a snapshot holds them. */
export async function readPeople(
  db: Database,
  place: Generation,
  { level, max }: { level: number; max: number },
): Promise<Buffer> {
  const range = rangeOf(2 ** -level);
  const lists: Buffer[] = [];
  let count = 0;
  for await (const block of readBlocks(db, place, range)) {
    const { start, end } = within(block, range);
    const list = Buffer.allocUnsafe((end - start) * personBytes);
    let length = 0;
    for (let index = start; index < end; index += 1) {
      if (countOf(block.tags[index] ?? 0) === 0) continue;
      list.set(block.hashes.subarray(index * hashBytes, index * hashBytes + personBytes), length);
      length += personBytes;
    }
    lists.push(list.subarray(0, length));
    count += length / personBytes;
    if (count >= max) break;
  }
  return Buffer.concat(lists);
}

import { eq } from "drizzle-orm";
import { audienceSnapshots } from "#db/schema/index.ts";
import type { Ctx } from "../../context.ts";
import type { Generation } from "../members/audience-blocks.server.ts";
import { keepOnly, maxAtLevel } from "./people-sample.ts";
import { noisySize } from "./published-size.server.ts";
import { readPeople } from "./take-snapshot.server.ts";

/**
 * Takes everybody out of an audience's snapshot who is no longer in the audience: whom an erasure has just removed, and whoever
 * was removed earlier on the day, since nobody knows any more by which of their hashes those would be asked for. Only within the
 * audience's lock; `version` is the audience's before the erasure, which removed `removed` people.
 */
export async function eraseFromSnapshot(
  { db }: Ctx,
  { place, version, removed }: { place: Generation; version: number; removed: number | undefined },
): Promise<void> {
  const own = eq(audienceSnapshots.audienceId, place.audienceId);
  const [snapshot] = await db.select().from(audienceSnapshots).where(own).for("update");
  if (!snapshot || (removed === undefined && snapshot.version === version)) return;
  const max = maxAtLevel(noisySize(snapshot), snapshot.level);
  const people = keepOnly(snapshot.people, await readPeople(db, place, { level: snapshot.level, max }));
  if (people.length === snapshot.people.length && !removed) return;
  const size = Math.max(0, snapshot.size - (removed ?? 0));
  await db
    .update(audienceSnapshots)
    .set({ people, size, erasures: snapshot.erasures + 1 })
    .where(own);
}

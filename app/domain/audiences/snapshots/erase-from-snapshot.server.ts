import { eq } from "drizzle-orm";
import { audienceSnapshots } from "#db/schema/index.ts";
import type { Ctx } from "../../context.ts";
import type { AudienceId } from "../../ids.ts";
import { readPeople } from "./create-snapshot.server.ts";
import { intersectPeople, maxAtLevel } from "./people-sample.ts";
import { noisySize } from "./published-size.server.ts";

/**
 * Removes everyone from an audience's snapshot who is no longer in the audience: the people just erased and those
 * removed earlier that day, whose identifiers are no longer known. The caller holds the audience's lock. `version` is
 * the audience's version before the erasure, which removed `removed` people.
 */
export async function eraseFromSnapshot(
  { db }: Ctx,
  { audienceId, version, removed }: { audienceId: AudienceId; version: number; removed: number | undefined },
): Promise<void> {
  const own = eq(audienceSnapshots.audienceId, audienceId);
  const [snapshot] = await db.select().from(audienceSnapshots).where(own).for("update");
  if (!snapshot || (removed === undefined && snapshot.version === version)) return;
  const max = maxAtLevel(noisySize(snapshot), snapshot.level);
  const people = intersectPeople(snapshot.people, await readPeople(db, audienceId, { level: snapshot.level, max }));
  if (people.length === snapshot.people.length && !removed) return;
  const size = Math.max(0, snapshot.size - (removed ?? 0));
  await db
    .update(audienceSnapshots)
    .set({ people, size, erasures: snapshot.erasures + 1 })
    .where(own);
}

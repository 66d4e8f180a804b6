import { and, asc, desc, eq, gte, inArray, lt, lte, type SQL, sql } from "drizzle-orm";
import { z } from "zod";
import type { Database } from "#db/client.server.ts";
import { columnValue, queryRows } from "#db/query-rows.server.ts";
import { audienceObjectDeletions, audienceObjects } from "#db/schema/index.ts";
import type { AudienceId, AudienceObjectId } from "../../../ids.ts";
import type { Generation } from "../generation.ts";
import type { HashRange } from "../hash-sample.ts";
import { type IndexEntry, parseBlockIndex } from "./block-index.ts";
import { rowsWith } from "./generation-rows.server.ts";

/** An object of a generation, with the index of its blocks. */
export type StoredObject = { objectId: AudienceObjectId; generation: number; first: Buffer; entries: IndexEntry[] };

/** The objects of a generation are the rows of `audience_objects` that a transaction sees. */
export function ownObjects({ audienceId, generation }: Generation): SQL | undefined {
  return and(eq(audienceObjects.audienceId, audienceId), eq(audienceObjects.generation, generation));
}

type Part = { range?: HashRange | undefined; after?: Buffer | undefined };

/** Returns the objects of a generation, ascending: those that may have blocks of a range, or after a block. */
export async function listObjects(db: Database, place: Generation, { range, after }: Part): Promise<StoredObject[]> {
  const from = after ?? range?.from;
  const before =
    from &&
    db
      .select({ first: audienceObjects.firstHash })
      .from(audienceObjects)
      .where(and(ownObjects(place), lte(audienceObjects.firstHash, from)))
      .orderBy(desc(audienceObjects.firstHash))
      .limit(1);
  const rows = await db
    .select({
      objectId: audienceObjects.objectId,
      generation: audienceObjects.generation,
      first: audienceObjects.firstHash,
      index: audienceObjects.blockIndex,
    })
    .from(audienceObjects)
    .where(
      and(
        ownObjects(place),
        before && gte(audienceObjects.firstHash, sql`coalesce((${before}), ${from}::bytea)`),
        range && lt(audienceObjects.firstHash, range.to),
      ),
    )
    .orderBy(asc(audienceObjects.firstHash));
  return rows.map(({ index, ...row }) => ({ ...row, entries: parseBlockIndex(index) }));
}

const objectRow = z.object({
  objectId: columnValue(audienceObjects.objectId),
  generation: columnValue(audienceObjects.generation),
  first: columnValue(audienceObjects.firstHash),
  index: columnValue(audienceObjects.blockIndex),
});

/** Returns the objects of some generations that have the blocks with these hashes or would have them, ascending. */
export async function findObjects(
  db: Database,
  { audienceId, generations }: { audienceId: AudienceId; generations: readonly number[] },
  hashes: readonly string[],
): Promise<StoredObject[]> {
  const rows = await queryRows(
    db,
    objectRow,
    sql`
      select object.* from (${rowsWith(audienceObjects, { audienceId, generations }, hashes)}
      ) place cross join lateral (
        select object_id as "objectId", generation, first_hash as first, block_index as index from audience_objects
        where audience_id = ${audienceId} and generation = place.generation and first_hash = place.first limit 1
      ) object order by object.first`,
  );
  return rows.map(({ index, ...row }) => ({ ...row, entries: parseBlockIndex(index) }));
}

/** Returns those of some objects that a generation has. */
export async function filterNamed(db: Database, ids: readonly AudienceObjectId[]): Promise<Set<AudienceObjectId>> {
  if (ids.length === 0) return new Set();
  const { objectId } = audienceObjects;
  const rows = await db
    .select({ objectId })
    .from(audienceObjects)
    .where(inArray(objectId, [...ids]));
  return new Set(rows.map((row) => row.objectId));
}

/** Returns those of some objects that a generation has, or had: these are deleted by a job. */
export async function filterKnown(db: Database, ids: readonly AudienceObjectId[]): Promise<Set<AudienceObjectId>> {
  if (ids.length === 0) return new Set();
  const { objectId } = audienceObjects;
  const dropped = audienceObjectDeletions.objectId;
  // One statement, because an object that is dropped meanwhile is in either.
  const rows = await db
    .select({ objectId })
    .from(audienceObjects)
    .where(inArray(objectId, [...ids]))
    .unionAll(
      db
        .select({ objectId: dropped })
        .from(audienceObjectDeletions)
        .where(inArray(dropped, [...ids])),
    );
  return new Set(rows.map((row) => row.objectId));
}

/** Takes objects from their generations; a job then deletes them from the storage, in all versions. */
export async function dropObjects(db: Database, which: SQL | undefined): Promise<void> {
  await db.execute(sql`
    with dropped as (delete from ${audienceObjects} where ${which} returning object_id, audience_id)
    insert into audience_object_deletions (object_id, audience_id) select object_id, audience_id from dropped`);
}

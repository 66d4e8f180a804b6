import { Readable } from "node:stream";
import { buffer } from "node:stream/consumers";
import { newestSealPrefix } from "#app/encryption.server.ts";
import { fileStorage } from "#app/storage/storage.server.ts";
import type { Database } from "#db/client.server.ts";
import { audienceObjects } from "#db/schema/index.ts";
import { type AudienceId, type AudienceObjectId, newId } from "../../../ids.ts";
import { type Block, hashBytes } from "../block.ts";
import type { Generation } from "../generation.ts";
import { toBlockIndex } from "./block-index.ts";
import type { LoadedBlock } from "./block-store.ts";
import { objectKey } from "./object-key.ts";
import { filterNamed, type StoredObject } from "./object-rows.server.ts";
import { ObjectDropped, ObjectMissing, orUnavailable } from "./object-trouble.ts";
import { openBlock, sealBlock } from "./sealed-block.server.ts";
import { noteWrittenObject } from "./written-objects.server.ts";

/** 8.1 MB without variants and addresses: one part of an upload to S3, which is in memory until it has arrived. */
export const blocksPerObject = 240;

/**
 * Stores blocks as a new object of a generation: first the file, whole and durable, then the row that names it. What
 * ends between the two leaves a file that no row names, which the clean-up of objects finds.
 */
export function storeObject(db: Database, place: Generation, blocks: readonly Block[]): Promise<void> {
  // Not an async function, which would hold the blocks until their encrypted copies are stored.
  const sealed = sealObject(place, blocks);
  const stored = storeSealed(db, place, sealed);
  noteWrittenObject(db, { audienceId: place.audienceId, objectId: sealed.objectId, stored });
  return stored;
}

/** Encrypts blocks as those of an object. */
function sealObject(place: Generation, blocks: readonly Block[]) {
  const objectId = newId<AudienceObjectId>();
  const sealed = blocks.map((block, number) => ({
    block,
    sealed: sealBlock(block, { generation: place, objectId, number }),
  }));
  return {
    objectId,
    blockIndex: toBlockIndex(sealed),
    hashes: blocks.reduce((sum, { flags }) => sum + flags.length, 0),
    bytes: sealed.reduce((sum, one) => sum + one.sealed.length, 0),
    body: Readable.from(removeEach(sealed.map((one) => one.sealed))),
  };
}

/** Yields what is in a list, and releases it. */
function* removeEach(list: Buffer[]): Generator<Buffer> {
  list.reverse();
  for (let next = list.pop(); next; next = list.pop()) yield next;
}

async function storeSealed(
  db: Database,
  { audienceId, generation }: Generation,
  { objectId, blockIndex, hashes, bytes, body }: ReturnType<typeof sealObject>,
): Promise<void> {
  const storage = await fileStorage();
  const key = objectKey(audienceId, objectId);
  await orUnavailable(() => storage.put(key, body, { bytes, type: "application/octet-stream" }));
  const firstHash = blockIndex.subarray(0, hashBytes);
  const sealPrefix = newestSealPrefix();
  await db
    .insert(audienceObjects)
    .values({ audienceId, generation, firstHash, objectId, hashes, blockIndex, sealPrefix });
}

type Run = { from: number; to: number };

/**
 * Reads consecutive blocks of an object with one request. Throws ObjectDropped when the object is none of its
 * generation's any more, and `unavailable` when the storage fails or the blocks are not those that were stored.
 */
export async function fetchBlocks(
  db: Database,
  {
    audienceId,
    object,
    run,
    withAddresses,
  }: { audienceId: AudienceId; object: StoredObject; run: Run; withAddresses: boolean },
): Promise<LoadedBlock[]> {
  const { objectId, generation } = object;
  const entries = object.entries.slice(run.from, run.to);
  const start = entries[0]?.start ?? 0;
  const last = entries.at(-1);
  return orUnavailable(async () => {
    const range = { start, end: (last ? last.start + last.length : start) - 1 };
    const stream = await (await fileStorage()).get(objectKey(audienceId, objectId), range);
    if (!stream)
      throw (await filterNamed(db, [objectId])).has(objectId)
        ? new ObjectMissing(`object is missing: ${objectId}`)
        : new ObjectDropped();
    const bytes = await buffer(stream);
    return entries.map((entry, index) => {
      const sealed = bytes.subarray(entry.start - start, entry.start - start + entry.length);
      const place = {
        generation: { audienceId, generation, store: "objects" } as const,
        objectId,
        number: run.from + index,
      };
      return { ...openBlock(sealed, place, withAddresses), generation, first: entry.first };
    });
  });
}

import { eq } from "drizzle-orm";
import { readBlocks } from "#app/domain/audiences/members/audience-blocks.server.ts";
import type { Block } from "#app/domain/audiences/members/block.ts";
import { objectKey } from "#app/domain/audiences/members/stores/object-key.ts";
import type { AudienceId } from "#app/domain/ids.ts";
import { fileStorage } from "#app/storage/storage.server.ts";
import type { Database } from "#db/client.server.ts";
import { audienceObjects } from "#db/schema/index.ts";

/** The keys of an audience's objects that are in the storage. */
export async function listObjectFiles(id: AudienceId): Promise<string[]> {
  const keys: string[] = [];
  for await (const { key } of (await fileStorage()).list(`audiences/${id}/`)) keys.push(key);
  return keys.sort();
}

/** The keys of an audience's objects that rows name. */
export async function listObjectRows(db: Database, id: AudienceId): Promise<string[]> {
  const rows = await db.select().from(audienceObjects).where(eq(audienceObjects.audienceId, id));
  return rows.map(({ objectId }) => objectKey(id, objectId)).sort();
}

/** Reads the blocks of all of an audience's generations in objects, also of those that it does not name. */
export async function readAllObjects(db: Database, id: AudienceId): Promise<Block[]> {
  const rows = await db
    .selectDistinct({ generation: audienceObjects.generation })
    .from(audienceObjects)
    .where(eq(audienceObjects.audienceId, id));
  const blocks: Block[] = [];
  for (const { generation } of rows)
    for await (const block of readBlocks(db, { audienceId: id, generation, store: "objects" })) blocks.push(block);
  return blocks;
}

import { createHash, randomBytes, randomUUID } from "node:crypto";
import { Readable } from "node:stream";
import { buffer } from "node:stream/consumers";
import type { Ctx, TenantActor } from "#app/domain/context.ts";
import { creativeStorageKeys } from "#app/domain/creatives/creative-rows.server.ts";
import { uploadCreatives } from "#app/domain/creatives/upload-creatives.server.ts";
import { type AccountId, type CreativeId, newId, parseId } from "#app/domain/ids.ts";
import { fileStorage } from "#app/storage/storage.server.ts";
import type { Database } from "#db/client.server.ts";
import { creatives } from "#db/schema/index.ts";

export type SentFile = { name: string; bytes: Buffer; truncated?: boolean };

/** Yields files as an upload endpoint would. */
async function* arriving(files: readonly SentFile[]) {
  for (const { name, bytes, truncated = false } of files) {
    yield { name, stream: Readable.from([bytes], { objectMode: false }), isTruncated: () => truncated };
  }
}

export function uploadCreativeFiles(ctx: Ctx<TenantActor>, files: readonly SentFile[], key?: string) {
  return uploadCreatives(ctx, { files: arriving(files), key });
}

/** Reads a creative's stored file. */
export async function storedFile(id: CreativeId, kind: "file" | "preview" = "file"): Promise<Buffer | undefined> {
  const stream = await (await fileStorage()).get(creativeStorageKeys(id)[kind]);
  return stream && buffer(stream);
}

/** Inserts a creative's row alone, for tests that need no file. */
export async function insertCreative(
  db: Database,
  accountId: AccountId,
  more: Partial<typeof creatives.$inferInsert> = {},
): Promise<CreativeId> {
  const id = newId<CreativeId>();
  const hash = () => createHash("sha256").update(randomUUID()).digest("hex");
  const size = { width: 300, height: 250, bytes: 12_345, previewBytes: 2_345 };
  const hashes = { sha256: hash(), sourceSha256: hash(), fileKey: randomBytes(24).toString("base64url") };
  await db
    .insert(creatives)
    .values({ id, accountId, name: "banner.png", type: "image/png", ...size, ...hashes, ...more });
  return id;
}

/** Returns violations of the rule that rows and files correspond: ids without a file, and keys without a row. */
export async function findBrokenFiles(db: Database): Promise<string[]> {
  const rows = await db.select().from(creatives);
  const broken: string[] = [];
  for (const { id, bytes, previewBytes } of rows) {
    const [file, preview] = [await storedFile(id), await storedFile(id, "preview")];
    if (file?.length !== bytes || (preview?.length ?? null) !== previewBytes) broken.push(id);
  }
  const known = new Set(rows.map(({ id }) => id));
  for await (const { key } of (await fileStorage()).list("creatives/")) {
    const id = parseId<CreativeId>(key.split("/").at(-1)?.slice(0, 36));
    if (!id || !known.has(id)) broken.push(key);
  }
  return broken;
}

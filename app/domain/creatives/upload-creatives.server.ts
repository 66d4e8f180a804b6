import { z } from "zod";
import { MediaError } from "#app/media/media.ts";
import type { FileStorage } from "#app/storage/file-storage.ts";
import { deleteIncoming, readIncoming } from "#app/storage/incoming-file.server.ts";
import { fileStorage } from "#app/storage/storage.server.ts";
import type { Ctx, TenantActor } from "../context.ts";
import { withIdempotencyKey } from "../idempotency/with-idempotency-key.server.ts";
import { type CreativeId, idSchema } from "../ids.ts";
import type { ReceivedFile } from "../received-file.ts";
import { reportError } from "../report-error.ts";
import { inTransaction } from "../transaction.server.ts";
import { creativeLimits, type RejectedFile } from "./creative.ts";
import { sanitizeCreativeName } from "./creative-name.ts";
import { creativeStorageKeys } from "./creative-rows.server.ts";
import { insertCreatives } from "./insert-creatives.server.ts";
import { type NewCreative, type PreparedCreative, prepareCreative } from "./prepare-creative.server.ts";

/** `replayed`: the response to an earlier request with the same key. */
export type UploadedCreatives = { ids: CreativeId[]; errors: RejectedFile[]; replayed?: boolean };

/**
 * Stores files as they arrive, independently: a rejected file is an error of that file only, and the others are
 * stored. A file that the account already has resolves to the existing creative. Either all accepted files are stored
 * when this resolves, or none when it throws: `idempotency_conflict`, `invalid_transition` when the account is closed,
 * or StorageError when the storage is full or unavailable. A repeated request with the same key and files gets the
 * first response.
 */
export async function uploadCreatives(
  ctx: Ctx<TenantActor>,
  { files, key }: { files: AsyncIterable<ReceivedFile>; key?: string },
): Promise<UploadedCreatives> {
  const prepared: PreparedCreative[] = [];
  const errors: RejectedFile[] = [];
  try {
    for await (const file of files) {
      await prepare(ctx, { file, prepared, errors });
    }
    if (prepared.length + errors.length === 0) return { ids: [], errors };
    return await storeCreatives(ctx, { prepared, errors, key });
  } finally {
    await deleteIncoming(prepared.flatMap(({ newCreative }) => (newCreative ? Object.values(newCreative.paths) : [])));
  }
}

async function prepare(
  ctx: Ctx<TenantActor>,
  { file, prepared, errors }: { file: ReceivedFile; prepared: PreparedCreative[]; errors: RejectedFile[] },
): Promise<void> {
  try {
    if (prepared.length === creativeLimits.perUpload) {
      file.stream.resume();
      throw new MediaError(`Upload up to ${creativeLimits.perUpload} files at a time. Upload this file separately.`);
    }
    prepared.push(await prepareCreative(ctx, file));
  } catch (error) {
    if (!(error instanceof MediaError)) throw error;
    errors.push({ file: sanitizeCreativeName(file.name), message: error.message });
  }
}

const storedResponseSchema = z.object({
  ids: z.array(idSchema<CreativeId>()),
  errors: z.array(z.object({ file: z.string(), message: z.string() })),
});

/**
 * Stores files before rows, so that every row has its file. When the outcome of the insert is unknown, the files remain
 * and the sweeper checks them later.
 */
async function storeCreatives(
  ctx: Ctx<TenantActor>,
  { prepared, errors, key }: { prepared: readonly PreparedCreative[]; errors: RejectedFile[]; key: string | undefined },
): Promise<UploadedCreatives> {
  const storage = await fileStorage();
  const stored = prepared.flatMap(({ newCreative }) => newCreative ?? []);
  const drop = async (files: readonly NewCreative[]) => {
    await storage.delete(files.flatMap(({ id }) => Object.values(creativeStorageKeys(id)))).catch((error: unknown) => {
      reportError(ctx, error, { work: "store_creatives", count: files.length, step: "cleanup" });
    });
  };
  try {
    for (const creative of stored) await store(storage, creative);
  } catch (error) {
    await drop(stored);
    throw error;
  }
  const insert = async (tx: Ctx<TenantActor>): Promise<UploadedCreatives> => {
    const inserted = await insertCreatives(tx, prepared);
    return { ids: inserted.ids, errors: [...errors, ...inserted.errors] };
  };
  const result =
    key === undefined ? await inTransaction(ctx, insert) : await insertOnce(ctx, { key, prepared, errors, insert });
  await drop(stored.filter(({ id }) => !result.ids.includes(id)));
  return result;
}

async function store(storage: FileStorage, { id, paths, type, bytes, previewBytes }: NewCreative): Promise<void> {
  const keys = creativeStorageKeys(id);
  await storage.put(keys.file, readIncoming(paths.file), { bytes, type });
  if (previewBytes === null) return;
  await storage.put(keys.preview, readIncoming(paths.preview), { bytes: previewBytes, type: "image/webp" });
}

async function insertOnce(
  ctx: Ctx<TenantActor>,
  input: {
    key: string;
    prepared: readonly PreparedCreative[];
    errors: RejectedFile[];
    insert: (tx: Ctx<TenantActor>) => Promise<UploadedCreatives>;
  },
): Promise<UploadedCreatives> {
  const uploads = input.prepared.map(({ name, sourceSha256 }) => [name, sourceSha256]);
  const request = JSON.stringify([uploads, input.errors]);
  const caller = `creatives:${ctx.actor.accountId}`;
  const { body, replayed } = await withIdempotencyKey(
    ctx,
    { caller, key: input.key, requestFingerprint: request },
    async (tx) => ({
      status: 200,
      body: JSON.stringify(await input.insert(tx)),
    }),
  );
  return { ...storedResponseSchema.parse(JSON.parse(body)), replayed };
}

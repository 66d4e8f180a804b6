import { z } from "zod";
import { MediaError } from "#app/media/media.ts";
import type { FileStorage } from "#app/storage/file-storage.ts";
import { dropIncoming, readIncoming } from "#app/storage/incoming-file.server.ts";
import { fileStorage } from "#app/storage/storage.server.ts";
import type { ReceivedFile } from "../audiences/files/received-file.ts";
import type { Ctx, TenantActor } from "../context.ts";
import { doOnce } from "../idempotency/do-once.server.ts";
import { type CreativeId, idSchema } from "../ids.ts";
import { reportError } from "../report-error.ts";
import { inTransaction } from "../transaction.server.ts";
import { creativeLimits, type FileError } from "./creative.ts";
import { creativeName } from "./creative-name.ts";
import { storageKeys } from "./creative-rows.server.ts";
import { keepCreatives } from "./keep-creatives.server.ts";
import { type FreshCreative, type PreparedCreative, prepareCreative } from "./prepare-creative.server.ts";

export type UploadedCreatives = { ids: CreativeId[]; errors: FileError[] };

/**
 * Takes files as they arrive, each for itself: what cannot be taken is an error of that file, and the others are kept. A
 * file that the account has already is that one. All that is kept is there when this resolves, or nothing is when it
 * throws: `idempotency_conflict`, StorageError when the storage is full or away.
 * A repetition with the same key and the same files gets the first answer.
 */
export async function uploadCreatives(
  ctx: Ctx<TenantActor>,
  { files, key }: { files: AsyncIterable<ReceivedFile>; key?: string },
): Promise<UploadedCreatives> {
  const prepared: PreparedCreative[] = [];
  const errors: FileError[] = [];
  try {
    for await (const file of files) {
      await prepare(ctx, { file, prepared, errors });
    }
    if (prepared.length + errors.length === 0) return { ids: [], errors };
    return await keep(ctx, { prepared, errors, key });
  } finally {
    await dropIncoming(prepared.flatMap(({ fresh }) => (fresh ? Object.values(fresh.paths) : [])));
  }
}

async function prepare(
  ctx: Ctx<TenantActor>,
  { file, prepared, errors }: { file: ReceivedFile; prepared: PreparedCreative[]; errors: FileError[] },
): Promise<void> {
  try {
    if (prepared.length === creativeLimits.files) {
      file.stream.resume();
      throw new MediaError(`Send at most ${creativeLimits.files} files at once; this one can follow.`);
    }
    prepared.push(await prepareCreative(ctx, file));
  } catch (error) {
    if (!(error instanceof MediaError)) throw error;
    errors.push({ file: creativeName(file.name), message: error.message });
  }
}

const keptSchema = z.object({
  ids: z.array(idSchema<CreativeId>()),
  errors: z.array(z.object({ file: z.string(), message: z.string() })),
});

/**
 * Files first, rows then: a row's file is always there. When it is not known whether the rows are, the files stay, and the
 * sweeper looks again.
 */
async function keep(
  ctx: Ctx<TenantActor>,
  { prepared, errors, key }: { prepared: readonly PreparedCreative[]; errors: FileError[]; key: string | undefined },
): Promise<UploadedCreatives> {
  const storage = await fileStorage();
  const stored = prepared.flatMap(({ fresh }) => fresh ?? []);
  const drop = async (files: readonly FreshCreative[]) => {
    await storage.delete(files.flatMap(({ id }) => Object.values(storageKeys(id)))).catch((error: unknown) => {
      reportError(ctx, error, { work: "store_creatives", count: files.length, step: "cleanup" });
    });
  };
  try {
    for (const fresh of stored) await store(storage, fresh);
  } catch (error) {
    await drop(stored);
    throw error;
  }
  const insert = async (tx: Ctx<TenantActor>): Promise<UploadedCreatives> => {
    const made = await keepCreatives(tx, prepared);
    return { ids: made.ids, errors: [...errors, ...made.errors] };
  };
  const answer =
    key === undefined ? await inTransaction(ctx, insert) : await once(ctx, { key, prepared, errors, insert });
  await drop(stored.filter(({ id }) => !answer.ids.includes(id)));
  return answer;
}

async function store(storage: FileStorage, { id, paths, type, bytes, previewBytes }: FreshCreative): Promise<void> {
  const keys = storageKeys(id);
  await storage.put(keys.file, readIncoming(paths.file), { bytes, type });
  if (previewBytes === null) return;
  await storage.put(keys.preview, readIncoming(paths.preview), { bytes: previewBytes, type: "image/webp" });
}

async function once(
  ctx: Ctx<TenantActor>,
  given: {
    key: string;
    prepared: readonly PreparedCreative[];
    errors: FileError[];
    insert: (tx: Ctx<TenantActor>) => Promise<UploadedCreatives>;
  },
): Promise<UploadedCreatives> {
  const sent = given.prepared.map(({ name, sourceSha256 }) => [name, sourceSha256]);
  const request = JSON.stringify([sent, given.errors]);
  const caller = `creatives:${ctx.actor.accountId}`;
  const { body } = await doOnce(ctx, { caller, key: given.key, request }, async (tx) => ({
    status: 200,
    body: JSON.stringify(await given.insert(tx)),
  }));
  return keptSchema.parse(JSON.parse(body));
}

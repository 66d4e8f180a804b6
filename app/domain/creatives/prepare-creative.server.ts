import { and, eq } from "drizzle-orm";
import { MediaError } from "#app/media/media.ts";
import type { ReadMedia } from "#app/media/media-protocol.ts";
import { MediaReadingFailed, readMedia } from "#app/media/media-reader.server.ts";
import { StorageError } from "#app/storage/file-storage.ts";
import { dropIncoming, newIncomingPath, receiveFile } from "#app/storage/incoming-file.server.ts";
import { creatives } from "#db/schema/index.ts";
import type { ReceivedFile } from "../audiences/files/received-file.ts";
import type { Ctx, TenantActor } from "../context.ts";
import { type CreativeId, newId } from "../ids.ts";
import { creativeLimits } from "./creative.ts";
import { creativeName } from "./creative-name.ts";

/** A file that was read, and is not kept yet: `paths` are what is to be kept, cleaned. */
export type FreshCreative = ReadMedia & { id: CreativeId; paths: { file: string; preview: string } };
export type PreparedCreative = {
  /** The file's name, to be shown. */
  name: string;
  sourceSha256: string;
  /** Undefined: the account has this file already. */
  fresh: FreshCreative | undefined;
};

/**
 * Reads one file of an upload and cleans it, in the folder of files on their way in. Throws MediaError with words when it
 * cannot be taken, StorageError when there is no room for it.
 */
export async function prepareCreative(ctx: Ctx<TenantActor>, file: ReceivedFile): Promise<PreparedCreative> {
  const name = creativeName(file.name);
  const { path: input, sha256: sourceSha256 } = await receiveFile(file.stream);
  try {
    if (file.isTruncated()) {
      throw new MediaError(`The file is larger than ${creativeLimits.fileBytes / 1024 / 1024} MB.`);
    }
    if (await isKnown(ctx, sourceSha256)) return { name, sourceSha256, fresh: undefined };
    return { name, sourceSha256, fresh: await clean(input) };
  } finally {
    await dropIncoming([input]);
  }
}

async function isKnown(ctx: Ctx<TenantActor>, sourceSha256: string): Promise<boolean> {
  const own = and(eq(creatives.accountId, ctx.actor.accountId), eq(creatives.sourceSha256, sourceSha256));
  return (await ctx.db.$count(creatives, own)) > 0;
}

async function clean(input: string): Promise<FreshCreative> {
  const file = await newIncomingPath();
  const paths = { file, preview: `${file}.preview` };
  try {
    const read = await readMedia({ input, output: paths.file, preview: paths.preview });
    return { ...read, id: newId<CreativeId>(), paths };
  } catch (error) {
    await dropIncoming(Object.values(paths));
    throw error instanceof MediaReadingFailed ? new StorageError(error) : error;
  }
}

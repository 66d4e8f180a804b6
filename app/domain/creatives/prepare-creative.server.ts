import { and, eq } from "drizzle-orm";
import { MediaError } from "#app/media/media.ts";
import type { MediaInfo } from "#app/media/media-protocol.ts";
import { MediaProcessingError, processMedia } from "#app/media/media-reader.server.ts";
import { StorageError } from "#app/storage/file-storage.ts";
import { deleteIncoming, newIncomingPath, receiveFile } from "#app/storage/incoming-file.server.ts";
import { creatives } from "#db/schema/index.ts";
import { accountTurns } from "../account-turns.ts";
import type { Ctx, TenantActor } from "../context.ts";
import { type CreativeId, newId } from "../ids.ts";
import type { ReceivedFile } from "../received-file.ts";
import { creativeLimits } from "./creative.ts";
import { sanitizeCreativeName } from "./creative-name.ts";

/** Files are processed one at a time. */
const turns = () => accountTurns("creative-files", 1);

/** A processed file that is not stored yet: `paths` are the processed files. */
export type NewCreative = MediaInfo & { id: CreativeId; paths: { file: string; preview: string } };
export type PreparedCreative = {
  /** The file's display name. */
  name: string;
  sourceSha256: string;
  /** Undefined when the account already has this file. */
  newCreative: NewCreative | undefined;
};

/**
 * Reads and processes one file of an upload in the incoming directory. Throws MediaError with a message when the file
 * is rejected, StorageError when there is no disk space for it.
 */
export async function prepareCreative(ctx: Ctx<TenantActor>, file: ReceivedFile): Promise<PreparedCreative> {
  const name = sanitizeCreativeName(file.name);
  const { path: input, sha256: sourceSha256 } = await receiveFile(file.stream);
  try {
    if (file.isTruncated()) {
      throw new MediaError(
        `The file is larger than ${creativeLimits.fileBytes / 1024 / 1024} MB. Upload a smaller file.`,
      );
    }
    if (await isDuplicate(ctx, sourceSha256)) return { name, sourceSha256, newCreative: undefined };
    return { name, sourceSha256, newCreative: await turns().run(ctx.actor.accountId, () => process(input)) };
  } finally {
    await deleteIncoming([input]);
  }
}

async function isDuplicate(ctx: Ctx<TenantActor>, sourceSha256: string): Promise<boolean> {
  const own = and(eq(creatives.accountId, ctx.actor.accountId), eq(creatives.sourceSha256, sourceSha256));
  return (await ctx.db.$count(creatives, own)) > 0;
}

async function process(input: string): Promise<NewCreative> {
  const file = await newIncomingPath();
  const paths = { file, preview: `${file}.preview` };
  try {
    const info = await processMedia({ input, output: paths.file, preview: paths.preview });
    return { ...info, id: newId<CreativeId>(), paths };
  } catch (error) {
    await deleteIncoming(Object.values(paths));
    throw error instanceof MediaProcessingError ? new StorageError(error) : error;
  }
}

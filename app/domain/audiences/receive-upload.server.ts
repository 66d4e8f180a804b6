import { setTimeout as sleep } from "node:timers/promises";
import { and, eq } from "drizzle-orm";
import { audiences } from "#db/schema/index.ts";
import type { Ctx, PublisherActor } from "../context.ts";
import { DomainError } from "../errors.ts";
import type { AudienceId, UploadId } from "../ids.ts";
import type { UploadMode } from "./audience.ts";
import { failUpload, keepAlive, sendAgain } from "./fail-upload.server.ts";
import { FileRefusal } from "./files/file-refusal.ts";
import type { ReceivedFile } from "./files/read-file.server.ts";
import { type ReadUpload, readUpload } from "./files/read-upload.server.ts";
import { mergeUpload } from "./merge-upload.server.ts";
import { runAside } from "./running-imports.server.ts";

type Upload = {
  /** As `reserveUpload` gave it. */
  id: UploadId;
  audienceId: AudienceId;
  mode: UploadMode;
  /** As they arrive, one after another. */
  files: AsyncIterable<ReceivedFile>;
};

/** How long an answer waits for the rest of the work: small files are done by then. In milliseconds. */
const patience = 1_000;

/**
 * Reads uploaded files as they arrive and goes on with what they held after the answer. A file that cannot be taken makes
 * the upload `failed` with words, and leaves the audience as it was. Throws `too_large` for a file or an upload over its limit.
 */
export async function receiveUpload(ctx: Ctx<PublisherActor>, { id, audienceId, mode, files }: Upload): Promise<void> {
  const country = await findCountry(ctx, audienceId);
  const stopBeating = keepAlive(ctx, id);
  let read: ReadUpload;
  try {
    read = await readUpload({ country, files });
  } catch (error) {
    stopBeating();
    const cut = !(error instanceof FileRefusal);
    await failUpload(ctx, {
      id,
      message: cut ? `The upload was cut off before it was complete. ${sendAgain}` : error.message,
      report: cut ? undefined : { files: error.files },
    });
    if (!cut && error.tooLarge) throw new DomainError("too_large", error.message);
    if (cut && !isAborted(error)) throw error;
    return;
  }
  stopBeating();
  await mergeAside(ctx, { id, audienceId, mode, read });
}

/** Merges what was read into the audience, and closes it; goes on beside the answer when it takes long. */
export async function mergeAside(
  ctx: Ctx<PublisherActor>,
  { read, ...upload }: Omit<Upload, "files"> & { read: ReadUpload },
): Promise<void> {
  const stopBeating = keepAlive(ctx, upload.id);
  const rest = runAside(async () => {
    try {
      await mergeUpload(ctx, { ...upload, ...read });
    } finally {
      stopBeating();
      await read.importer.close();
    }
  });
  await Promise.race([rest, sleep(patience)]);
}

/** How phones without a country are read in this audience. */
async function findCountry(ctx: Ctx<PublisherActor>, audienceId: AudienceId): Promise<string | undefined> {
  const [audience] = await ctx.db
    .select({ country: audiences.defaultCountry })
    .from(audiences)
    .where(and(eq(audiences.id, audienceId), eq(audiences.publisherId, ctx.actor.accountId)));
  return audience?.country ?? undefined;
}

/** The caller went away in the middle. */
function isAborted(error: unknown): boolean {
  const code = error instanceof Error && "code" in error ? error.code : undefined;
  const name = error instanceof Error ? error.name : "";
  return name === "AbortError" || name === "CutOff" || code === "ECONNRESET" || code === "ERR_STREAM_PREMATURE_CLOSE";
}

import { setTimeout as sleep } from "node:timers/promises";
import { and, eq } from "drizzle-orm";
import { audiences } from "#db/schema/index.ts";
import type { Ctx, PublisherActor } from "../context.ts";
import { DomainError } from "../errors.ts";
import { sendAgain } from "../heartbeat.ts";
import type { AudienceId, UploadId } from "../ids.ts";
import { reportError } from "../report-error.ts";
import { runAside } from "../running-imports.server.ts";
import type { UploadMode } from "./audience.ts";
import { failUpload, keepUploadAlive } from "./fail-upload.server.ts";
import type { FileImporter } from "./files/file-importer.server.ts";
import { FileRefusal } from "./files/file-refusal.ts";
import { type ReadUpload, receiveFiles } from "./files/read-upload.server.ts";
import type { ReceivedFile } from "./files/received-file.ts";
import { mergeUpload, uploadFailedOnOurSide } from "./merge-upload.server.ts";

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
 * Reads uploaded files as they arrive, or takes them in while others are read, and goes on after the answer. A file that
 * cannot be taken makes the upload `failed` with words, and leaves the audience as it was. Throws `too_large` for a file or
 * an upload over its limit, and `unavailable` when there is no room for it.
 */
export async function receiveUpload(ctx: Ctx<PublisherActor>, { id, audienceId, mode, files }: Upload): Promise<void> {
  const country = await findCountry(ctx, audienceId);
  const stopBeating = keepUploadAlive(ctx, id);
  try {
    const read = await receiveFiles({ country, files });
    await mergeAside(ctx, { id, audienceId, mode, read });
  } catch (error) {
    if (error instanceof FileRefusal && error.cause) {
      reportError(ctx, error.cause, { work: "read_upload", uploadId: id, audienceId });
    }
    await failReading(ctx, { id, error });
    if (error instanceof FileRefusal && error.tooLarge) throw new DomainError("too_large", error.message);
    if (!(error instanceof FileRefusal) && !isAborted(error)) throw error;
  } finally {
    stopBeating();
  }
}

async function failReading(ctx: Ctx<PublisherActor>, { id, error }: { id: UploadId; error: unknown }): Promise<void> {
  const report = error instanceof FileRefusal ? { files: error.files } : undefined;
  await failUpload(ctx, { id, message: wordsOf(error), report }).catch((ending: unknown) =>
    reportError(ctx, ending, { work: "read_upload", uploadId: id, step: "ending" }),
  );
}

function wordsOf(error: unknown): string {
  if (isExpected(error)) return error.message;
  return isAborted(error) ? `The upload was cut off before it was complete. ${sendAgain}` : uploadFailedOnOurSide;
}

function isExpected(error: unknown): error is FileRefusal | DomainError {
  return error instanceof FileRefusal || error instanceof DomainError;
}

/** Merges what was read into the audience, and closes it; goes on beside the answer when it takes long. */
export async function mergeAside(
  ctx: Ctx<PublisherActor>,
  { read, ...upload }: Omit<Upload, "files"> & { read: () => Promise<ReadUpload> },
): Promise<void> {
  const stopBeating = keepUploadAlive(ctx, upload.id);
  const facts = { work: "read_upload", uploadId: upload.id, audienceId: upload.audienceId } as const;
  const rest = runAside(ctx, facts, async () => {
    let importer: FileImporter | undefined;
    try {
      const files = await read();
      importer = files.importer;
      await mergeUpload(ctx, { ...upload, ...files });
    } catch (error) {
      const defect = isExpected(error) ? error.cause : !isAborted(error) && error;
      if (defect) reportError(ctx, defect, facts);
      await failReading(ctx, { id: upload.id, error });
    } finally {
      stopBeating();
      await importer?.close();
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

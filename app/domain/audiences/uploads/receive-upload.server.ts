import { setTimeout as sleep } from "node:timers/promises";
import { and, eq } from "drizzle-orm";
import type { UploadMode } from "#app/domain/audiences/audience.ts";
import type { ConsentChanges } from "#app/domain/audiences/audience-payloads.ts";
import type { ColumnMapping } from "#app/domain/audiences/files/column-uses.ts";
import type { FileImporter } from "#app/domain/audiences/files/file-importer.server.ts";
import { type ParsedUpload, receiveFiles } from "#app/domain/audiences/files/read-upload.server.ts";
import { UploadRejectedError } from "#app/domain/audiences/files/upload-rejected-error.ts";
import { runInBackground } from "#app/domain/background-tasks.server.ts";
import type { Ctx, PublisherActor } from "#app/domain/context.ts";
import { DomainError } from "#app/domain/errors.ts";
import { FileRejectedError } from "#app/domain/file-rejected-error.ts";
import { retryHint } from "#app/domain/heartbeat.ts";
import type { AudienceId } from "#app/domain/ids.ts";
import { isAborted, type ReceivedFile } from "#app/domain/received-file.ts";
import { reportError } from "#app/domain/report-error.ts";
import type { TextEncoding } from "#app/sheets/text/encodings.ts";
import { audiences } from "#db/schema/index.ts";
import { loadColumnMappings } from "./column-mappings.server.ts";
import { failUpload } from "./fail-upload.server.ts";
import { mergeUpload, uploadFailedOnOurSide } from "./merge-upload.server.ts";
import { startUploadHeartbeat, type UploadAttempt } from "./upload-attempt.server.ts";

/** The attempt is the one that `reserveUpload` returned. */
type Upload = UploadAttempt & {
  audienceId: AudienceId;
  mode: UploadMode;
  /** The uploader stated that people who opted out are imported too. */
  includesOptOuts?: boolean | undefined;
  /** The encoding that the uploader chose for text; undefined detects it. */
  encoding?: TextEncoding | undefined;
  /** The uses of columns by their names, which count instead of those that the account saved. */
  mapping?: ColumnMapping | undefined;
  /** The statement about consent that the uploader made with the files. */
  consent?: ConsentChanges | undefined;
  /**
   * Whether an integration's list is refreshed, false by default. Its columns are known, so those that the account
   * saved do not count.
   */
  isRefresh?: boolean;
  /** The files in the order in which they arrive. */
  files: AsyncIterable<ReceivedFile>;
  /** When the request arrived, in milliseconds of `performance.now()`. */
  receivedAt?: number | undefined;
  /** Compares the files with those of an earlier attempt, once they have arrived (`compareUpload`). */
  compare?: (() => Promise<unknown>) | undefined;
};

/**
 * A response waits for the merge until its request is this old, in milliseconds: small files are merged by then. A busy
 * server has used up this time while receiving the files and responds at once that the upload is running.
 */
const responseBudgetMs = 1_000;

/**
 * Reads uploaded files as they arrive, or spools them while other uploads are read, and continues in the background
 * after the response. A rejected file fails the upload with a message and leaves the audience unchanged. Throws
 * `too_large` for a file or an upload over its size limit, `unavailable` when there is no disk space for it, and what
 * `compare` throws.
 */
export async function receiveUpload(ctx: Ctx<PublisherActor>, { files, ...upload }: Upload): Promise<void> {
  const { id, attempt, audienceId } = upload;
  const receivedAt = upload.receivedAt ?? performance.now();
  const country = await findCountry(ctx, audienceId);
  const savedMappings = upload.isRefresh ? undefined : await loadColumnMappings(ctx);
  const stopHeartbeat = startUploadHeartbeat(ctx, { id, attempt });
  try {
    const read = await receiveFiles({
      country,
      includesOptOuts: readsOptOuts(upload),
      includesAddresses: upload.mode !== "remove",
      savedMappings,
      mapping: upload.mapping,
      encoding: upload.encoding,
      files,
    }).catch(async (error: unknown) => {
      // The file that is rejected may be another one.
      await upload.compare?.();
      throw error;
    });
    await mergeInBackground(ctx, { ...upload, read, receivedAt });
  } catch (error) {
    if (error instanceof FileRejectedError && error.cause) {
      reportError(ctx, error.cause, { work: "read_upload", uploadId: id, audienceId });
    }
    await failWithError(ctx, { id, attempt, error });
    if (error instanceof FileRejectedError && error.tooLarge) throw new DomainError("too_large", error.message);
    if (!(error instanceof FileRejectedError) && !isAborted(error)) throw error;
  } finally {
    stopHeartbeat();
  }
}

/** Whether people who opted out are read like all others: they are if they are to be removed. */
function readsOptOuts({ mode, includesOptOuts = false }: Pick<Upload, "mode" | "includesOptOuts">): boolean {
  return mode === "remove" || includesOptOuts;
}

async function failWithError(
  ctx: Ctx<PublisherActor>,
  { error, ...upload }: UploadAttempt & { error: unknown },
): Promise<void> {
  const report = error instanceof UploadRejectedError ? { files: error.files } : undefined;
  await failUpload(ctx, { ...upload, message: describeFailure(error), report }).catch((failure: unknown) =>
    reportError(ctx, failure, { work: "read_upload", uploadId: upload.id, step: "ending" }),
  );
}

function describeFailure(error: unknown): string {
  // Other files than an earlier attempt had say nothing about those, which may be sent again.
  if (error instanceof DomainError && error.code === "idempotency_conflict") return uploadFailedOnOurSide;
  if (isExpected(error)) return error.message;
  return isAborted(error) ? `The upload was interrupted. ${retryHint}` : uploadFailedOnOurSide;
}

function isExpected(error: unknown): error is FileRejectedError | DomainError {
  return error instanceof FileRejectedError || error instanceof DomainError;
}

type PendingMerge = Omit<Upload, "files"> & { read: () => Promise<ParsedUpload> };

/**
 * Merges the files into the audience and closes the importer; continues in the background after the response when it
 * takes long.
 */
export async function mergeInBackground(
  ctx: Ctx<PublisherActor>,
  { read, compare, receivedAt = performance.now(), ...upload }: PendingMerge,
): Promise<void> {
  const { id, attempt, audienceId } = upload;
  const stopHeartbeat = startUploadHeartbeat(ctx, { id, attempt });
  const facts = { work: "read_upload", uploadId: id, audienceId } as const;
  const rest = runInBackground(ctx, facts, async () => {
    let importer: FileImporter | undefined;
    try {
      const files = await read().catch(async (error: unknown) => {
        // A rejected file that was queued may be another one.
        await compare?.();
        throw error;
      });
      importer = files.importer;
      await compare?.();
      await mergeUpload(ctx, { ...upload, ...files });
    } catch (error) {
      const defect = isExpected(error) ? error.cause : !isAborted(error) && error;
      if (defect) reportError(ctx, defect, facts);
      await failWithError(ctx, { id, attempt, error });
    } finally {
      stopHeartbeat();
      await importer?.close();
    }
  });
  const remainingMs = responseBudgetMs - (performance.now() - receivedAt);
  if (remainingMs > 0) await Promise.race([rest, sleep(remainingMs)]);
}

/** Returns the audience's country for phone numbers without a country code. */
async function findCountry(ctx: Ctx<PublisherActor>, audienceId: AudienceId): Promise<string | undefined> {
  const [audience] = await ctx.db
    .select({ country: audiences.defaultCountry })
    .from(audiences)
    .where(and(eq(audiences.id, audienceId), eq(audiences.publisherId, ctx.actor.accountId)));
  return audience?.country ?? undefined;
}

import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { sanitizeFileName } from "#app/domain/audiences/files/file-name.ts";
import { FileRejectedError } from "#app/domain/audiences/files/file-rejected-error.ts";
import type { ReceivedFile } from "#app/domain/audiences/files/received-file.ts";
import { runInBackground } from "#app/domain/background-tasks.server.ts";
import { detectFormat } from "#app/sheets/detect-format.ts";
import { createSpool } from "#app/sheets/encrypted-spool.server.ts";
import { type OpenedFile, openReceived } from "#app/sheets/open-received.server.ts";
import { SheetError } from "#app/sheets/sheet-error.ts";
import { productImportChunks, productImports } from "#db/schema/index.ts";
import type { Ctx, TenantActor } from "../../context.ts";
import { DomainError } from "../../errors.ts";
import { retryHint } from "../../heartbeat.ts";
import type { ImportId } from "../../ids.ts";
import { reportError } from "../../report-error.ts";
import { type ChosenColumns, type ImportSettings, importLimits } from "./catalog-import.ts";
import { failImport, startImportHeartbeat, whereOwnImport } from "./import-rows.server.ts";
import { looksLikeFeed } from "./parsing/feed-rows.server.ts";
import { importFailedOnOurSide, stageImport } from "./stage-import.server.ts";

type Import = {
  /** The id that `reserveImport` returned. */
  id: ImportId;
  /** The files as they arrive; only one is accepted. */
  files: AsyncIterable<ReceivedFile>;
  /** The other form fields. Called when the file has arrived, because they may follow it. */
  settings: () => ImportSettings & { commit: boolean; columns: ChosenColumns };
};

const chunkBytes = 512 * 1024;
/** How long a response waits for the background work, in milliseconds: small files are read by then. */
const responseWaitMs = 2_000;

/**
 * Stores an uploaded file as it arrives and stages it in the background after the response. A rejected file fails the
 * import with a message. Throws `too_large` for a file over the size limit, and `invalid_input` for invalid settings.
 */
export async function receiveImport(ctx: Ctx<TenantActor>, { id, files, settings }: Import): Promise<void> {
  const stopHeartbeat = startImportHeartbeat(ctx, id);
  try {
    const file = await storeFile(ctx, id, files);
    const { commit, columns, ...options } = settings();
    // Without a choice, the one for the last file of the same program applies.
    const chosenColumns = Object.keys(columns).length > 0 ? columns : null;
    await ctx.db
      .update(productImports)
      .set({ ...file, ...options, chosenColumns, commitRequested: commit })
      .where(whereOwnImport(ctx, id));
  } catch (error) {
    const message = rejectionMessage(error);
    const interruptedMessage = `The upload was interrupted. ${retryHint}`;
    await failImport(ctx, {
      id,
      message: message ?? (isAborted(error) ? interruptedMessage : importFailedOnOurSide),
    }).catch((failure: unknown) => reportError(ctx, failure, { work: "stage_import", importId: id, step: "ending" }));
    if (error instanceof FileRejectedError && error.tooLarge) throw new DomainError("too_large", error.message);
    if (error instanceof DomainError) throw error;
    if (message === undefined && !isAborted(error)) throw error;
    return;
  } finally {
    stopHeartbeat();
  }
  await Promise.race([
    runInBackground(ctx, { work: "stage_import", importId: id }, () => stageImport(ctx, { id })),
    sleep(responseWaitMs),
  ]);
}

function rejectionMessage(error: unknown): string | undefined {
  return error instanceof FileRejectedError || error instanceof DomainError ? error.message : undefined;
}

async function storeFile(ctx: Ctx<TenantActor>, importId: ImportId, files: AsyncIterable<ReceivedFile>) {
  let stored: { bytes: number; format: string } | undefined;
  for await (const file of files) {
    if (stored) throw new FileRejectedError("Upload one file at a time");
    const fileName = sanitizeFileName(file.name);
    // Stored at once, so that a rejected file is named too.
    await ctx.db.update(productImports).set({ fileName }).where(whereOwnImport(ctx, importId));
    const spool = () => createSpool(join(tmpdir(), "endcap-spool"));
    const opened = await openReceived(arriving(file), { maxBytes: importLimits.bytes, createSpool: spool }).catch(
      rethrowRejection,
    );
    try {
      stored = await storeChunks(ctx, importId, opened);
    } catch (error) {
      rethrowRejection(error);
    } finally {
      await opened.close();
    }
  }
  if (!stored) throw new FileRejectedError("Choose a file");
  return stored;
}

/** Throws FileRejectedError at the end of a file that was cut at its limit. */
async function* arriving(file: ReceivedFile): AsyncGenerator<Buffer> {
  for await (const chunk of file.stream) yield chunk;
  if (file.isTruncated()) throw tooLarge();
}

function rethrowRejection(error: unknown): never {
  throw error instanceof SheetError ? new FileRejectedError(error.message) : error;
}

/** Stores the file in chunks. Its first bytes decide whether it is accepted. */
async function storeChunks(ctx: Ctx<TenantActor>, importId: ImportId, { head, pieces }: OpenedFile) {
  let bytes = 0;
  let number = 0;
  const format = requireFormat(head);
  let buffered: Buffer[] = [];
  let size = 0;
  const store = async () => {
    const piece = Buffer.concat(buffered);
    buffered = [];
    size = 0;
    const { accountId } = ctx.actor;
    await ctx.db.insert(productImportChunks).values({ importId, accountId, number, bytes: piece });
    number += 1;
  };
  for await (const chunk of pieces) {
    buffered.push(chunk);
    size += chunk.length;
    bytes += chunk.length;
    if (bytes > importLimits.bytes) throw tooLarge();
    if (size >= chunkBytes) await store();
  }
  await store();
  return { bytes, format };
}

/** Returns `text`, `feed`, `xlsx` or `xls`; the encoding of text is detected when it is read. Throws FileRejectedError when the file is not a table. */
function requireFormat(head: Buffer): string {
  if (looksLikeFeed(head)) return "feed";
  const detected = detectFormat(head);
  if (detected.kind === "rejected") throw new FileRejectedError(detected.message);
  return detected.kind;
}

function tooLarge(): FileRejectedError {
  const megabytes = importLimits.bytes / 1024 / 1024;
  return new FileRejectedError(`The file is larger than ${megabytes} MB. Split it and upload the parts.`, {
    tooLarge: true,
  });
}

/** Returns whether the client aborted the request. */
function isAborted(error: unknown): boolean {
  const code = error instanceof Error && "code" in error ? error.code : undefined;
  const name = error instanceof Error ? error.name : "";
  return (
    name === "AbortError" ||
    name === "TruncatedFormError" ||
    code === "ECONNRESET" ||
    code === "ERR_STREAM_PREMATURE_CLOSE"
  );
}

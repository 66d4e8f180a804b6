import { setTimeout as sleep } from "node:timers/promises";
import { shownFileName } from "#app/domain/audiences/files/file-name.ts";
import { FileRefusal } from "#app/domain/audiences/files/file-refusal.ts";
import type { ReceivedFile } from "#app/domain/audiences/files/received-file.ts";
import { detectFormat } from "#app/sheets/detect-format.ts";
import { productImportPieces, productImports } from "#db/schema/index.ts";
import type { Ctx, TenantActor } from "../../context.ts";
import { DomainError } from "../../errors.ts";
import { sendAgain } from "../../heartbeat.ts";
import type { ImportId } from "../../ids.ts";
import { reportError } from "../../report-error.ts";
import { runAside } from "../../running-imports.server.ts";
import { type ImportOptions, importLimits } from "./catalog-import.ts";
import { failImport, keepImportAlive, ownImport } from "./import-rows.server.ts";
import { importFailedOnOurSide, stageImport } from "./stage-import.server.ts";

type Import = {
  /** As `reserveImport` gave it. */
  id: ImportId;
  /** As they arrive; one is taken. */
  files: AsyncIterable<ReceivedFile>;
  /** What stands beside the file; asked for when the file is here, because it may come after it. */
  settings: () => ImportOptions & { commit: boolean };
};

const pieceBytes = 512 * 1024;
const headBytes = 8 * 1024;
/** How long an answer waits for the rest of the work: small files are read by then. In milliseconds. */
const patience = 2_000;

/**
 * Keeps an uploaded file as it arrives, and reads it beside the answer. A file that cannot be taken makes the import
 * `failed` with words. Throws `too_large` for one over its limit, and `invalid_input` for settings that cannot be read.
 */
export async function receiveImport(ctx: Ctx<TenantActor>, { id, files, settings }: Import): Promise<void> {
  const stopBeating = keepImportAlive(ctx, id);
  try {
    const file = await keepFile(ctx, id, files);
    const { commit, ...options } = settings();
    await ctx.db
      .update(productImports)
      .set({ ...file, ...options, committed: commit })
      .where(ownImport(ctx, id));
  } catch (error) {
    const words = wordsOf(error);
    const cutOff = `The upload was cut off before it was complete. ${sendAgain}`;
    await failImport(ctx, { id, message: words ?? (isAborted(error) ? cutOff : importFailedOnOurSide) }).catch(
      (ending: unknown) => reportError(ctx, ending, { work: "stage_import", importId: id, step: "ending" }),
    );
    if (error instanceof FileRefusal && error.tooLarge) throw new DomainError("too_large", error.message);
    if (error instanceof DomainError) throw error;
    if (words === undefined && !isAborted(error)) throw error;
    return;
  } finally {
    stopBeating();
  }
  await Promise.race([
    runAside(ctx, { work: "stage_import", importId: id }, () => stageImport(ctx, { id })),
    sleep(patience),
  ]);
}

function wordsOf(error: unknown): string | undefined {
  return error instanceof FileRefusal || error instanceof DomainError ? error.message : undefined;
}

async function keepFile(ctx: Ctx<TenantActor>, importId: ImportId, files: AsyncIterable<ReceivedFile>) {
  let kept: { bytes: number; format: string } | undefined;
  for await (const file of files) {
    if (kept) throw new FileRefusal("Send one file at a time");
    const fileName = shownFileName(file.name);
    // At once, so that one that cannot be taken is named too.
    await ctx.db.update(productImports).set({ fileName }).where(ownImport(ctx, importId));
    kept = await keepPieces(ctx, importId, file);
  }
  if (!kept) throw new FileRefusal("Choose a file");
  return kept;
}

/** Stores the file in pieces. What its first bytes are decides whether it is taken at all. */
async function keepPieces(ctx: Ctx<TenantActor>, importId: ImportId, file: ReceivedFile) {
  let bytes = 0;
  let number = 0;
  let format: string | undefined;
  let waiting: Buffer[] = [];
  let size = 0;
  const store = async () => {
    const piece = Buffer.concat(waiting);
    format ??= formatOf(piece);
    waiting = [];
    size = 0;
    const { accountId } = ctx.actor;
    await ctx.db.insert(productImportPieces).values({ importId, accountId, number, bytes: piece });
    number += 1;
  };
  for await (const chunk of file.stream) {
    waiting.push(chunk);
    size += chunk.length;
    bytes += chunk.length;
    if (bytes > importLimits.bytes) throw tooLarge();
    if (format === undefined && size >= headBytes) format = formatOf(Buffer.concat(waiting));
    if (size >= pieceBytes) await store();
  }
  if (file.isTruncated()) throw tooLarge();
  await store();
  return { bytes, format: format ?? "text" };
}

/** `text utf-8`, `xlsx` … Throws a FileRefusal for what is no table. */
function formatOf(start: Buffer): string {
  const found = detectFormat(start.subarray(0, headBytes));
  if (found.kind === "refused") throw new FileRefusal(found.message);
  return found.kind === "text" ? `text ${found.encoding}` : found.kind;
}

function tooLarge(): FileRefusal {
  const megabytes = importLimits.bytes / 1024 / 1024;
  return new FileRefusal(`The file is larger than ${megabytes} MB. Split it and send the parts.`, { tooLarge: true });
}

/** The caller went away in the middle. */
function isAborted(error: unknown): boolean {
  const code = error instanceof Error && "code" in error ? error.code : undefined;
  const name = error instanceof Error ? error.name : "";
  return name === "AbortError" || name === "CutOff" || code === "ECONNRESET" || code === "ERR_STREAM_PREMATURE_CLOSE";
}

import { setTimeout as sleep } from "node:timers/promises";
import { runInBackground } from "#app/domain/background-tasks.server.ts";
import { FileRejectedError } from "#app/domain/file-rejected-error.ts";
import { isAborted, type ReceivedFile } from "#app/domain/received-file.ts";
import type { Ctx, TenantActor } from "../../context.ts";
import { DomainError } from "../../errors.ts";
import { retryHint } from "../../heartbeat.ts";
import { reportError } from "../../report-error.ts";
import type { ChosenColumns, ImportSettings } from "./catalog-import.ts";
import {
  failImport,
  ImportEndedError,
  type ImportRun,
  startImportHeartbeat,
  updateRunning,
} from "./import-rows.server.ts";
import { importFailedOnOurSide, stageImport } from "./stage-import.server.ts";
import { storeImportFile } from "./store-import-file.server.ts";

/** The run is the one that `reserveImport` returned. */
type Import = ImportRun & {
  /** The files as they arrive; only one is accepted. */
  files: AsyncIterable<ReceivedFile>;
  /** The other form fields. Called when the file has arrived, because they may follow it. */
  settings: () => ImportSettings & { commit: boolean; columns: ChosenColumns };
  /** Compares the file and the fields with those of an earlier run, once they have arrived (`compareImport`). */
  compare?: (() => Promise<unknown>) | undefined;
};

/** How long a response waits for the background work, in milliseconds: small files are read by then. */
const responseWaitMs = 2_000;

/**
 * Stores an uploaded file as it arrives and stages it in the background after the response. A rejected file fails the
 * import with a message; one that was ended meanwhile, or sent again to another process, stays as it is. Throws
 * `too_large` for a file over the size limit, `invalid_input` for invalid settings, and what `compare` throws.
 */
export async function receiveImport(
  ctx: Ctx<TenantActor>,
  { id, run, files, settings, compare }: Import,
): Promise<void> {
  const stopHeartbeat = startImportHeartbeat(ctx, { id, run });
  try {
    // Of a file that is rejected, too: it may be another one.
    const file = await storeImportFile(ctx, { id, run }, files).finally(compare);
    const { commit, columns, ...options } = settings();
    // Without a choice, the one for the last file of the same program applies.
    const chosenColumns = Object.keys(columns).length > 0 ? columns : null;
    await updateRunning(ctx, { id, run }, { ...file, ...options, chosenColumns, commitRequested: commit });
  } catch (error) {
    if (error instanceof ImportEndedError) return;
    const message = rejectionMessage(error);
    const interruptedMessage = `The upload was interrupted. ${retryHint}`;
    await failImport(ctx, {
      id,
      run,
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
    runInBackground(ctx, { work: "stage_import", importId: id }, () => stageImport(ctx, { id, run })),
    sleep(responseWaitMs),
  ]);
}

function rejectionMessage(error: unknown): string | undefined {
  // Another file than an earlier run had says nothing about that one, which may be sent again.
  if (error instanceof DomainError && error.code === "idempotency_conflict") return undefined;
  return error instanceof FileRejectedError || error instanceof DomainError ? error.message : undefined;
}

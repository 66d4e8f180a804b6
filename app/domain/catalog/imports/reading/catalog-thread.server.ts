import type { SpoolDescription } from "#app/sheets/encrypted-spool.server.ts";
import { SheetError } from "#app/sheets/sheet-error.ts";
import { ThreadDefect } from "#app/sheets/thread-defect.ts";
import { WorkerThread } from "#app/sheets/worker-thread.server.ts";
import type { ChosenColumns, ImportOptions } from "../catalog-import.ts";
import type { ReadAnswer, ReadRequest } from "./import-protocol.ts";
import type { TableHead } from "./read-table.server.ts";

/** Reads one file of products in a thread of its own. `close` ends the thread, whatever it does. Throws SheetError. */
export class CatalogThread {
  private readonly thread = new WorkerThread<ReadRequest, ReadAnswer>(
    "app/domain/catalog/imports/reading/catalog-worker.server.ts",
  );

  async openText(
    encoding: Extract<ReadRequest, { kind: "text" }>["encoding"],
    pieces: AsyncIterable<Uint8Array<ArrayBuffer>>,
  ): Promise<TableHead> {
    for await (const bytes of pieces) await this.ask({ kind: "piece", bytes }, "done", [bytes.buffer]);
    return (await this.ask({ kind: "text", encoding }, "head")).head;
  }

  async openSheets(format: "xlsx" | "xls", spool: SpoolDescription): Promise<TableHead> {
    return (await this.ask({ kind: "sheets", format, spool }, "head")).head;
  }

  begin(chosen: ChosenColumns, options: ImportOptions) {
    return this.ask({ kind: "begin", chosen, options }, "begun");
  }

  nextBatch() {
    return this.ask({ kind: "batch" }, "batch");
  }

  close(): Promise<void> {
    return this.thread.close();
  }

  private async ask<K extends ReadAnswer["kind"]>(
    request: ReadRequest,
    kind: K,
    transfer: ArrayBuffer[] = [],
  ): Promise<Extract<ReadAnswer, { kind: K }>> {
    const answer = await this.thread.ask(request, transfer);
    if (isRefusal(answer)) {
      const { message, defect } = answer;
      throw new SheetError("damaged", message, defect === undefined ? undefined : new ThreadDefect(defect));
    }
    if (!isKind(answer, kind)) throw new Error(`the thread answered ${answer.kind} instead of ${kind}`);
    return answer;
  }
}

function isRefusal(answer: ReadAnswer): answer is Extract<ReadAnswer, { kind: "refused" }> {
  return answer.kind === "refused";
}

function isKind<K extends ReadAnswer["kind"]>(answer: ReadAnswer, kind: K): answer is Extract<ReadAnswer, { kind: K }> {
  return answer.kind === kind;
}

import type { SpoolHandle } from "#app/sheets/encrypted-spool.server.ts";
import { SheetError } from "#app/sheets/sheet-error.ts";
import type { SpreadsheetFormat } from "#app/sheets/sheet-types.ts";
import { ThreadDefect } from "#app/sheets/thread-defect.ts";
import { WorkerThread } from "#app/sheets/worker-thread.server.ts";
import type { ChosenColumns, ImportOptions, ImportSettings } from "../catalog-import.ts";
import type { ReadRequest, ReadResponse } from "./import-protocol.ts";
import type { TableHead } from "./read-table.server.ts";

/** In milliseconds. The largest files take some ten seconds for a request, on a busy machine a minute. */
const requestMs = 5 * 60_000;

/**
 * Reads one product file in a worker thread. `close` terminates the thread, even while it is working. Throws
 * SheetError.
 */
export class CatalogThread {
  private readonly thread = new WorkerThread<ReadRequest, ReadResponse>(
    "app/domain/catalog/imports/parsing/catalog-worker.server.ts",
    { requestMs },
  );

  /**
   * Opens a text in the chosen encoding, or in the detected one; its header is in the chosen row, or in the detected
   * one.
   */
  async openText(
    { chosenEncoding, chosenHeaderRow }: Pick<ImportSettings, "chosenEncoding" | "chosenHeaderRow">,
    chunks: AsyncIterable<Uint8Array<ArrayBuffer>>,
  ): Promise<TableHead> {
    for await (const bytes of chunks) await this.sendRequest({ kind: "piece", bytes }, "done", [bytes.buffer]);
    const request = { kind: "text", chosen: chosenEncoding, headerRow: chosenHeaderRow } as const;
    return (await this.sendRequest(request, "head")).head;
  }

  /** Opens a product feed in XML. */
  async openFeed(chunks: AsyncIterable<Uint8Array<ArrayBuffer>>): Promise<TableHead> {
    for await (const bytes of chunks) await this.sendRequest({ kind: "piece", bytes }, "done", [bytes.buffer]);
    return (await this.sendRequest({ kind: "feed" }, "head")).head;
  }

  async openSheets(
    format: SpreadsheetFormat,
    { spool, headerRow }: { spool: SpoolHandle; headerRow: number | null },
  ): Promise<TableHead> {
    return (await this.sendRequest({ kind: "sheets", format, spool, headerRow }, "head")).head;
  }

  begin(chosen: ChosenColumns, { options, now }: { options: ImportOptions; now: Date }) {
    return this.sendRequest({ kind: "begin", chosen, options, now }, "begun");
  }

  nextBatch() {
    return this.sendRequest({ kind: "batch" }, "batch");
  }

  close(): Promise<void> {
    return this.thread.close();
  }

  private async sendRequest<K extends ReadResponse["kind"]>(
    request: ReadRequest,
    kind: K,
    transfer: ArrayBuffer[] = [],
  ): Promise<Extract<ReadResponse, { kind: K }>> {
    const response = await this.thread.request(request, transfer);
    if (isRejection(response)) {
      const { message, defect } = response;
      throw new SheetError("damaged", message, defect === undefined ? undefined : new ThreadDefect(defect));
    }
    if (!isKind(response, kind))
      throw new Error(`catalog worker sent the response ${response.kind} instead of ${kind}`);
    return response;
  }
}

function isRejection(readResponse: ReadResponse): readResponse is Extract<ReadResponse, { kind: "rejected" }> {
  return readResponse.kind === "rejected";
}

function isKind<K extends ReadResponse["kind"]>(
  readResponse: ReadResponse,
  kind: K,
): readResponse is Extract<ReadResponse, { kind: K }> {
  return readResponse.kind === kind;
}

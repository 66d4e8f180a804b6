import { parentPort } from "node:worker_threads";
import { SheetError } from "#app/sheets/sheet-error.ts";
import { formatStackFrames } from "#app/sheets/thread-defect.ts";
import { mappedColumnNames, missingFields } from "./column-plan.ts";
import { openFeed } from "./feed-rows.server.ts";
import { findSheet } from "./find-sheet.server.ts";
import type { ReadRequest, ReadResponse } from "./import-protocol.ts";
import { asBuffer, openText } from "./open-text.ts";
import { openTableReader, type ReadBatch, readHead, type TableHead } from "./read-table.server.ts";
import type { TableSource } from "./table.server.ts";

/**
 * The thread that parses an uploaded file. It has resource limits of its own, so that a hostile file terminates only
 * this thread.
 */
const batchSize = 2_000;
const pieces: Uint8Array[] = [];
let table: { source: TableSource; head: TableHead } | undefined;
let reader: Awaited<ReturnType<typeof openTableReader>> | undefined;
let queue: Promise<void> = Promise.resolve();

parentPort?.on("message", (request: ReadRequest & { id: number }) => {
  queue = queue.then(async () => parentPort?.postMessage(await handleRequest(request)));
});

async function handleRequest(request: ReadRequest & { id: number }): Promise<ReadResponse> {
  const { id } = request;
  try {
    switch (request.kind) {
      case "piece":
        pieces.push(request.bytes);
        return { id, kind: "done" };
      case "text":
        return { id, kind: "head", head: await open(openText(pieces, request.chosen), request.headerRow) };
      case "feed":
        return { id, kind: "head", head: await open(await openFeed(pieces.map(asBuffer)), null) };
      case "sheets": {
        const { format, spool, headerRow } = request;
        const source = await findSheet({ format, spool, otherSheets: new Set() });
        return { id, kind: "head", head: await open(source, headerRow) };
      }
      case "begin": {
        if (!table) throw new Error("catalog worker got a begin request before a table was opened");
        reader = await openTableReader(table.source, { ...request, head: table.head });
        const missing = missingFields(reader.plan, request.options);
        return {
          id,
          kind: "begun",
          missing,
          columns: mappedColumnNames(reader.plan),
          guessed: [...reader.plan.guessed],
          currencySource: reader.facts.currencySource,
        };
      }
      case "batch":
        return { id, ...(await nextBatch()) };
    }
  } catch (error) {
    if (error instanceof SheetError) return { id, kind: "rejected", message: error.message };
    const message = "The file could not be read. Save it as .csv or .xlsx and upload it again.";
    return { id, kind: "rejected", message, defect: formatStackFrames(error) };
  }
}

async function open(source: TableSource, headerRow: number | null): Promise<TableHead> {
  const head = await readHead(source, headerRow);
  table = { source, head };
  return head;
}

async function nextBatch() {
  if (!reader) throw new Error("catalog worker got a batch request before begin");
  const batch: ReadBatch = { rows: [], problems: [] };
  let last = false;
  while (batch.rows.length < batchSize && batch.problems.length < batchSize && !last) {
    const { value, done } = await reader.batches.next();
    last = done ?? false;
    if (!value) continue;
    batch.rows.push(...value.rows);
    batch.problems.push(...value.problems);
  }
  const { rows, problems } = batch;
  return {
    kind: "batch" as const,
    rows: JSON.stringify(rows),
    rowCount: rows.length,
    problems,
    counts: reader.counts,
    last,
  };
}

import { parentPort } from "node:worker_threads";
import { SheetError } from "#app/sheets/sheet-error.ts";
import { whereOf } from "#app/sheets/thread-defect.ts";
import { columnsRead, missingFields } from "./column-plan.ts";
import type { ReadAnswer, ReadRequest } from "./import-protocol.ts";
import { openReading, type ReadBatch, readHead, type TableHead } from "./read-table.server.ts";
import type { TableSource } from "./table.server.ts";

/** The thread that reads a stranger's file: it has limits of its own, so that a hostile one ends it and nothing else. */
const rowsAtOnce = 2_000;
const pieces: Uint8Array[] = [];
let table: { source: TableSource; head: TableHead } | undefined;
let reading: Awaited<ReturnType<typeof openReading>> | undefined;
let turn: Promise<void> = Promise.resolve();

parentPort?.on("message", (request: ReadRequest & { id: number }) => {
  turn = turn.then(async () => parentPort?.postMessage(await answer(request)));
});

async function answer(request: ReadRequest & { id: number }): Promise<ReadAnswer> {
  const { id } = request;
  try {
    switch (request.kind) {
      case "piece":
        pieces.push(request.bytes);
        return { id, kind: "done" };
      case "text":
        return { id, kind: "head", head: await open({ format: "text", encoding: request.encoding, pieces }) };
      case "sheets":
        return { id, kind: "head", head: await open({ format: request.format, spool: request.spool }) };
      case "begin": {
        if (!table) throw new Error("no table is open");
        reading = await openReading(table.source, { ...request, head: table.head });
        const missing = missingFields(reading.plan, request.options);
        return { id, kind: "begun", missing, columns: columnsRead(reading.plan) };
      }
      case "batch":
        return { id, ...(await nextBatch()) };
    }
  } catch (error) {
    if (error instanceof SheetError) return { id, kind: "refused", message: error.message };
    const message = "The file cannot be read. Save it again as .csv or .xlsx and send that.";
    return { id, kind: "refused", message, defect: whereOf(error) };
  }
}

async function open(source: TableSource): Promise<TableHead> {
  const head = await readHead(source);
  table = { source, head };
  return head;
}

async function nextBatch() {
  if (!reading) throw new Error("no reading has begun");
  const batch: ReadBatch = { rows: [], problems: [] };
  let last = false;
  while (batch.rows.length < rowsAtOnce && batch.problems.length < rowsAtOnce && !last) {
    const { value, done } = await reading.batches.next();
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
    counts: reading.counts,
    last,
  };
}

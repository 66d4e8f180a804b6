import { parentPort, workerData } from "node:worker_threads";
import { openSpool } from "#app/sheets/encrypted-spool.server.ts";
import { readXlsx } from "#app/sheets/read-xlsx.server.ts";
import { SheetError } from "#app/sheets/sheet-error.ts";
import { whereOf } from "#app/sheets/thread-defect.ts";
import { MemberKernel } from "../kernel/member-kernel.server.ts";
import type { Block } from "../members/block.ts";
import { type Columns, indexesOf } from "./columns.ts";
import { FileRefusal } from "./file-refusal.ts";
import { type FileRead, type ImportAnswer, type ImportRequest, slotBytes } from "./import-protocol.ts";
import { RowReader } from "./row-reader.ts";
import { requireColumns, TextFile } from "./text-file.ts";

/**
 * The thread that sees raw addresses. They come in as pieces of a file, are hashed, and are gone; what leaves it are
 * hashes, counts and masked values. It has limits of its own, so that a hostile file ends it and nothing else.
 */
const country = typeof workerData.country === "string" ? workerData.country : undefined;
const members = new MemberKernel();
const rows = new RowReader((identifiers) => members.addPerson(identifiers), country);
/** Fewer are not worth a message and a statement: 2 MB. */
const fewHashes = 65_536;
let slots: SharedArrayBuffer | undefined;
let text: TextFile | undefined;
let rowsBefore = 0;
let turn: Promise<void> = Promise.resolve();

parentPort?.on("message", (request: ImportRequest) => {
  turn = turn.then(async () => post(await answer(request)));
});

async function answer(request: ImportRequest): Promise<ImportAnswer> {
  const { id } = request;
  try {
    switch (request.kind) {
      case "text":
        rowsBefore = rows.counts.rowsRead;
        slots = request.slots;
        text = new TextFile(rows, { ...request, taker: members });
        return { id, kind: "done" };
      case "chunk":
        if (slots) text?.push(Buffer.from(slots, request.slot * slotBytes, request.length));
        return { id, kind: "done" };
      case "end":
        text?.end();
        return { id, kind: "file", file: fileRead(text?.columns) };
      case "sheets":
        rowsBefore = rows.counts.rowsRead;
        return { id, kind: "file", file: fileRead(await readSheets(request)) };
      case "counts":
        return { id, kind: "counts", counts: rows.counts };
      case "sort":
        return { id, kind: "sorted", ...sortFrom(request.bucket) };
    }
  } catch (error) {
    if (error instanceof FileRefusal || error instanceof SheetError)
      return { id, kind: "refused", message: error.message };
    const message = "The file cannot be read. Save it again as .csv or .xlsx and send that.";
    return { id, kind: "refused", message, defect: whereOf(error) };
  }
}

/** Of a small file all buckets at once, of a large one one after the other. */
function sortFrom(bucket: number): { block: Block; next: number | undefined } {
  const blocks: Block[] = [];
  let next = bucket;
  for (let hashes = 0; next < 256 && hashes < fewHashes; next += 1) {
    const block = members.bucket(next);
    blocks.push(block);
    hashes += block.tags.length;
  }
  return { block: joined(blocks), next: next < 256 ? next : undefined };
}

function joined(blocks: readonly Block[]): Block {
  const [only] = blocks;
  if (only && blocks.length === 1) return only;
  return {
    hashes: concat(blocks.map((block) => block.hashes)),
    tags: concat(blocks.map((block) => block.tags)),
    spellings: concat(blocks.map((block) => block.spellings)),
  };
}

/** In memory of its own, which can be handed over. */
function concat(parts: readonly Uint8Array[]): Uint8Array {
  const all = new Uint8Array(parts.reduce((sum, part) => sum + part.length, 0));
  let at = 0;
  for (const part of parts) {
    all.set(part, at);
    at += part.length;
  }
  return all;
}

function fileRead(columns: Columns | undefined): FileRead {
  const read = rows.counts.rowsRead - rowsBefore;
  return { rows: read, dropped: columns?.dropped.slice(0, 200) ?? [], headless: columns?.headless ?? false };
}

/** Every worksheet that has a column to read; one that has none, such as notes, is passed over when another has. */
async function readSheets(request: Extract<ImportRequest, { kind: "sheets" }>): Promise<Columns> {
  const spool = openSpool(request.spool);
  let found: Columns | undefined;
  let refusal: unknown = new FileRefusal("The file is empty");
  let columns: Columns | "none" | undefined;
  let wanted: ReadonlySet<number> | undefined;
  // The library for the old format is large, and files of it are rare.
  const read = request.format === "xlsx" ? readXlsx : (await import("#app/sheets/read-xls.server.ts")).readXls;
  await read(spool, {
    onSheet: () => {
      columns = undefined;
      wanted = undefined;
      return true;
    },
    wanted: () => wanted,
    onRow: (cells, line) => {
      if (columns === "none") return;
      if (columns) return rows.read(cells, columns, { file: request.file, line });
      if (cells.every((cell) => cell.trim() === "")) return;
      try {
        columns = requireColumns(cells);
        found ??= columns;
        wanted = indexesOf(columns);
        if (columns.headless) rows.read(cells, columns, { file: request.file, line });
      } catch (error) {
        columns = "none";
        wanted = new Set();
        refusal = error;
      }
    },
  });
  if (!found) throw refusal;
  return found;
}

function post(answered: ImportAnswer): void {
  const buffers = answered.kind === "sorted" ? transferable(answered.block) : [];
  parentPort?.postMessage(answered, buffers);
}

function transferable({ hashes, tags, spellings }: Block): ArrayBuffer[] {
  return [hashes.buffer, tags.buffer, spellings.buffer].flatMap((buffer) =>
    buffer instanceof ArrayBuffer && buffer.byteLength > 0 ? [buffer] : [],
  );
}

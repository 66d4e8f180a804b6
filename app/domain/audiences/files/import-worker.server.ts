import { parentPort, workerData } from "node:worker_threads";
import { openSpool } from "#app/sheets/encrypted-spool.server.ts";
import { SheetError } from "#app/sheets/sheet-error.ts";
import { loadSpreadsheetReader } from "#app/sheets/spreadsheet-reader.server.ts";
import { formatStackFrames } from "#app/sheets/thread-defect.ts";
import type { ConsentColumn, ConsentScope } from "../consent/consent-columns.ts";
import { detectOptOutName } from "../consent/opt-out-names.ts";
import { bucketCount, MemberKernel } from "../kernel/member-kernel.server.ts";
import type { Block } from "../members/block.ts";
import { hashAddress, primaryHash } from "../members/member-set.server.ts";
import { packAddress } from "../members/postal-address.ts";
import { AddressBuckets } from "./address-buckets.server.ts";
import type { ColumnOptions } from "./column-layout.ts";
import type { FileLayout } from "./column-uses.ts";
import { columnIndexes, type IdentifierColumns } from "./columns.ts";
import { HeaderFinder } from "./header-finder.ts";
import { type FileSummary, type ImportRequest, type ImportResponse, slotBytes } from "./import-protocol.ts";
import { RowReader } from "./row-reader.ts";
import { TextFileReader, withStatement } from "./text-file-reader.ts";
import { UploadRejectedError } from "./upload-rejected-error.ts";

/**
 * The thread that handles raw identifiers. It receives chunks of a file and hashes them; only hashes, counts and masked
 * values leave it. It has resource limits of its own, so that a hostile file terminates only this thread.
 */
const country = typeof workerData.country === "string" ? workerData.country : undefined;
const columnOptions: ColumnOptions = {
  includesOptOuts: workerData.includesOptOuts === true,
  includesAddresses: workerData.includesAddresses === true,
  savedMappings: workerData.savedMappings,
  mapping: workerData.mapping,
};
const members = new MemberKernel(workerData.kernel);
let addresses: AddressBuckets | undefined;
const rows = new RowReader((identifiers, address) => {
  members.addPerson(identifiers);
  if (!address) return;
  addresses ??= new AddressBuckets();
  addresses.put(primaryHash(identifiers), packAddress(hashAddress(address)));
}, country);
/** The minimum number of hashes (2 MB) that makes a message and a statement worthwhile. */
const minHashesPerMessage = 65_536;
let slots: SharedArrayBuffer | undefined;
let text: TextFileReader | undefined;
let before = { rows: 0, complete: 0, incomplete: 0 };
let queue: Promise<void> = Promise.resolve();

parentPort?.on("message", (request: ImportRequest) => {
  queue = queue.then(async () => post(await handleRequest(request)));
});

async function handleRequest(request: ImportRequest): Promise<ImportResponse> {
  const { id } = request;
  try {
    switch (request.kind) {
      case "text":
        before = countsNow();
        slots = request.slots;
        text = new TextFileReader(rows, {
          ...request,
          fastPath: members,
          columnOptions,
          statement: statementOf(request),
        });
        return { id, kind: "done" };
      case "chunk":
        if (slots) text?.push(Buffer.from(slots, request.slot * slotBytes, request.length));
        return { id, kind: "done" };
      case "end":
        text?.end();
        return {
          id,
          kind: "file",
          file: { ...summarizeFile(text?.columns, text?.layout), ...(text && { encoding: text.encoding }) },
        };
      case "sheets":
        before = countsNow();
        return { id, kind: "file", file: await readSheets(request) };
      case "counts":
        return { id, kind: "counts", counts: rows.counts };
      case "sort":
        return { id, kind: "sorted", ...sortFrom(request.bucket, request.memory) };
    }
  } catch (error) {
    if (error instanceof UploadRejectedError)
      return { id, kind: "rejected", message: error.message, layout: error.layout };
    if (error instanceof SheetError) return { id, kind: "rejected", message: error.message };
    const message = "The file could not be read. Save it as .csv or .xlsx and upload it again.";
    return { id, kind: "rejected", message, defect: formatStackFrames(error) };
  }
}

/** Sorts all buckets of a small file at once and those of a large file a few at a time. */
function sortFrom(bucket: number, memory: ArrayBuffer | undefined): { block: Block; next: number | undefined } {
  const next = members.bucketsWith(minHashesPerMessage, bucket);
  const block = members.sort({ from: bucket, to: next, memory });
  const found = new Map<string, string>();
  for (let index = bucket; index < next; index += 1) addresses?.collect(index, found);
  return {
    block: { ...block, ...(found.size > 0 && { addresses: found }) },
    next: next < bucketCount ? next : undefined,
  };
}

function summarizeFile(columns: IdentifierColumns | undefined, layout: FileLayout | undefined): FileSummary {
  const now = countsNow();
  const read = now.rows - before.rows;
  const addresses = columns?.address && {
    complete: now.complete - before.complete,
    incomplete: now.incomplete - before.incomplete,
  };
  const dropped = columns?.dropped.slice(0, 200) ?? [];
  return { rows: read, dropped, headerless: columns?.headerless ?? false, layout, addresses };
}

function countsNow(): typeof before {
  return { rows: rows.counts.rowsRead, ...rows.addresses };
}

/** The statement of a file, or of its current sheet, whose name says that its people opted out. */
function statementOf({ optedOut }: { optedOut: ConsentScope | undefined }, sheetName = ""): ConsentColumn | undefined {
  if (columnOptions.includesOptOuts) return undefined;
  const sheet = detectOptOutName(sheetName);
  const scope = optedOut && sheet && optedOut !== sheet ? "person" : (optedOut ?? sheet);
  return scope && { index: -1, name: optedOut ? "File name" : "Sheet name", kind: "consent", scope };
}

/**
 * Reads every visible worksheet that has an identifier column. Sheets without one, such as notes, are skipped as long
 * as another sheet has one. Nobody who uploads a workbook sees what is on its hidden sheets, so they are not read.
 */
async function readSheets(request: Extract<ImportRequest, { kind: "sheets" }>): Promise<FileSummary> {
  const spool = openSpool(request.spool);
  let identifierColumns: IdentifierColumns | undefined;
  let layout: FileLayout | undefined;
  let rejection: unknown;
  let header = new HeaderFinder(columnOptions);
  let columns: IdentifierColumns | "none" | undefined;
  let selectedColumns: ReadonlySet<number> | undefined;
  let statement: ConsentColumn | undefined;
  let hiddenSheets = 0;
  const readRow = (cells: readonly string[], found: IdentifierColumns, place: { file: number; line: number }) => {
    const isWithheld = rows.read(cells, found, place);
    header.recorder?.add(cells, isWithheld);
    if (header.recorder?.isFull) selectedColumns ??= columnIndexes(found);
  };
  const read = await loadSpreadsheetReader(request.format);
  await read(spool, {
    onSheet: ({ name, hidden }) => {
      if (hidden) {
        hiddenSheets += 1;
        return false;
      }
      if (columns === undefined) rejection ??= header.isEmpty ? undefined : header.rejection();
      header = new HeaderFinder(columnOptions);
      columns = undefined;
      selectedColumns = undefined;
      statement = statementOf(request, name);
      return true;
    },
    columnsToDecode: () => selectedColumns,
    onRow: (cells, line) => {
      if (columns === "none") return;
      const place = { file: request.file, line };
      if (columns) return readRow(cells, columns, place);
      try {
        columns = withStatement(header.read(cells), statement);
        if (!columns) return;
        identifierColumns ??= columns;
        layout ??= header.recorder?.layout;
        if (columns.headerless) readRow(cells, columns, place);
      } catch (error) {
        columns = "none";
        selectedColumns = new Set();
        rejection ??= error;
      }
    },
  });
  if (!identifierColumns) {
    if (hiddenSheets > 0 && header.isEmpty && !rejection) throw new UploadRejectedError(onlyHidden);
    throw header.isEmpty ? (rejection ?? header.rejection()) : header.rejection();
  }
  return { ...summarizeFile(identifierColumns, layout), ...(hiddenSheets > 0 && { hiddenSheets }) };
}

const onlyHidden =
  "The visible sheets are empty, and hidden sheets are not read. Show the sheet and upload the file again.";

function post(response: ImportResponse): void {
  // All parts of the block are in the same memory.
  const memory = response.kind === "sorted" ? response.block.hashes.buffer : undefined;
  parentPort?.postMessage(response, memory instanceof ArrayBuffer ? [memory] : []);
}

import type { SpoolHandle } from "#app/sheets/encrypted-spool.server.ts";
import type { SpreadsheetFormat } from "#app/sheets/sheet-types.ts";
import type { ReadEncoding } from "#app/sheets/text/encodings.ts";
import type { EncodingChoice } from "#app/sheets/text/text-to-utf8.ts";
import type { ConsentScope } from "../consent/consent-columns.ts";
import type { Block } from "../members/block.ts";
import type { FileLayout } from "./column-uses.ts";
import type { AddressCounts, RowCounts } from "./row-reader.ts";

/** The size, in bytes, of a chunk sent to the worker. */
export const slotBytes = 256 * 1024;

/**
 * A request to the import worker. The worker responds in order, with the same `id`. `optedOut`: what the
 * people of the file opted out of, as its name says.
 */
export type ImportRequest = {
  id: number;
} /** Chunks of the text are written to `slots`, which all files of an upload share. */ & (
  | {
      kind: "text";
      file: number;
      optedOut: ConsentScope | undefined;
      encoding: EncodingChoice;
      slots: SharedArrayBuffer;
    }
  /** The response marks the slot as free. */
  | { kind: "chunk"; slot: number; length: number }
  | { kind: "end" }
  | { kind: "sheets"; file: number; optedOut: ConsentScope | undefined; format: SpreadsheetFormat; spool: SpoolHandle }
  | { kind: "counts" }
  /** `memory` is transferred, and is for the response. */
  | { kind: "sort"; bucket: number; memory: ArrayBuffer | undefined }
);

/** The result of reading one file. `encoding` is that of a text; `layout` has the columns of its first table. */
export type FileSummary = {
  rows: number;
  dropped: string[];
  headerless: boolean;
  encoding?: ReadEncoding;
  layout?: FileLayout | undefined;
  /** Where addresses were imported. */
  addresses?: AddressCounts | undefined;
  /** How many sheets of a workbook are hidden; they are not read. */
  hiddenSheets?: number | undefined;
};

export type ImportResponse = { id: number } & (
  | { kind: "done" }
  | { kind: "file"; file: FileSummary }
  | { kind: "counts"; counts: RowCounts }
  /**
   * The sorted members of as many buckets, from the requested one on, as make a message worthwhile. `next` is the first
   * bucket that is not included, undefined after the last one.
   */
  | { kind: "sorted"; block: Block; next: number | undefined }
  /** `layout`: the columns if none was recognized. `defect`: the location of an error that is not about the file. */
  | { kind: "rejected"; message: string; layout?: FileLayout | undefined; defect?: string }
);

import type { SpoolDescription } from "#app/sheets/encrypted-spool.server.ts";
import type { Block } from "../members/block.ts";
import type { RowCounts } from "./row-reader.ts";
import type { TextEncoding } from "./text-file.ts";

/** A piece of a file on its way to the worker, in bytes. */
export const slotBytes = 256 * 1024;

/** What the worker that reads files is asked. Each is answered in turn, by its `id`. */
export type ImportRequest = {
  id: number;
} /** Its pieces come in slots of this memory, which is the same for all files of an upload. */ & (
  | { kind: "text"; file: number; encoding: TextEncoding; slots: SharedArrayBuffer }
  /** The slot is free again with the answer. */
  | { kind: "chunk"; slot: number; length: number }
  | { kind: "end" }
  | { kind: "sheets"; file: number; format: "xlsx" | "xls"; spool: SpoolDescription }
  | { kind: "counts" }
  | { kind: "sort"; bucket: number }
);

/** What was read of one file. */
export type FileRead = { rows: number; dropped: string[]; headless: boolean };

export type ImportAnswer = { id: number } & (
  | { kind: "done" }
  | { kind: "file"; file: FileRead }
  | { kind: "counts"; counts: RowCounts }
  /** From that bucket on, as many as make a piece worth sending; `next` is the first that is not in it, if any is left. */
  | { kind: "sorted"; block: Block; next: number | undefined }
  /** `defect`: where an error was thrown that is not about the file. */
  | { kind: "refused"; message: string; defect?: string }
);

import type { PdfDocument } from "./paper-document.ts";

/**
 * A request to the document thread: the first chunk of a document, which ends the previous document, or the next chunk.
 */
export type PdfRequest = { document: PdfDocument } | { next: true };

/** `defect`: the location of the error. */
export type PdfResponse =
  | { kind: "chunk"; bytes: Uint8Array<ArrayBuffer> }
  | { kind: "end" }
  | { kind: "failed"; defect: string };

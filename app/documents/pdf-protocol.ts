import type { PaperDocument } from "./paper-document.ts";

/** What the thread that writes documents is asked. */
export type PdfRequest = { document: PaperDocument };

/** `defect`: where it failed. */
export type PdfAnswer = { kind: "written"; bytes: Uint8Array<ArrayBuffer> } | { kind: "failed"; defect: string };

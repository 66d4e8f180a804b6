import type { MediaType } from "./media.ts";

/** What the process that reads media is asked, by paths of files that nobody else touches. */
export type MediaRequest = {
  id: number;
  /** What somebody sent. */
  input: string;
  /** Where it is to be written as it may be kept. */
  output: string;
  /** Where a small picture of it is to be written; a film gets none. */
  preview: string;
};

export type ReadMedia = {
  type: MediaType;
  width: number;
  height: number;
  /** Of films and animations. */
  durationMs: number | null;
  bytes: number;
  /** Of what was written, in hexadecimal digits. */
  sha256: string;
  previewBytes: number | null;
};

export type MediaAnswer = { id: number } & (
  | ({ kind: "read" } & ReadMedia)
  | { kind: "refused"; message: string }
  /** The disk's word, or another that has nothing to do with what was sent. */
  | { kind: "failed"; code: string }
);

import type { MediaType } from "./media.ts";

/** A request to the media process: paths of files that no other code uses meanwhile. */
export type MediaRequest = {
  id: number;
  /** The uploaded file. */
  input: string;
  /** The path for the cleaned file. */
  output: string;
  /** The path for the preview image; a video gets none. */
  preview: string;
};

/** What a cleaned file contains, with its sizes in bytes. */
export type MediaInfo = {
  type: MediaType;
  width: number;
  height: number;
  /** The length in milliseconds; null for still images. */
  durationMs: number | null;
  bytes: number;
  /** The hash of the cleaned file, hexadecimal. */
  sha256: string;
  previewBytes: number | null;
};

export type MediaResponse = { id: number } & (
  | ({ kind: "read" } & MediaInfo)
  | { kind: "rejected"; message: string }
  /** The error code of the system, such as ENOSPC, for a failure unrelated to the file. */
  | { kind: "failed"; code: string }
);

import type { Readable } from "node:stream";
import type { SpooledFile } from "#app/sheets/encrypted-spool.server.ts";

/** One file of a multipart body. */
export type ReceivedFile = {
  /** The name that the sender chose: display text, never a path. */
  name: string;
  /** Ends at the size limit of a file; `isTruncated` then returns true. */
  stream: Readable;
  isTruncated: () => boolean;
  /** Set when the file was spooled completely. Whoever spooled it disposes of it. */
  spooled?: SpooledFile;
};

/** Returns whether an error of its stream says that the sender aborted the request. */
export function isAborted(error: unknown): boolean {
  const code = error instanceof Error && "code" in error ? error.code : undefined;
  const name = error instanceof Error ? error.name : "";
  return (
    name === "AbortError" ||
    name === "TruncatedFormError" ||
    code === "ECONNRESET" ||
    code === "ERR_STREAM_PREMATURE_CLOSE"
  );
}

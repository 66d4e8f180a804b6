import type { Readable } from "node:stream";
import type { SpooledFile } from "#app/sheets/encrypted-spool.server.ts";

/** One file of a multipart body. */
export type ReceivedFile = {
  /** As the sender named it: text to show, never a path. */
  name: string;
  /** Ends at the limit of a file; then `isTruncated` says so. */
  stream: Readable;
  isTruncated: () => boolean;
  /** When all of it was taken in before: who keeps it disposes of it. */
  spooled?: SpooledFile;
};

import { createRequire } from "node:module";
import type { TextEncoding } from "./encodings.ts";

type Library = typeof import("iconv-lite");
/** A decoder for text that arrives in pieces, which may end within a character. */
export type PieceDecoder = { write: (piece: Buffer) => string; end: () => string | undefined };

const require = createRequire(import.meta.url);
let library: Library | undefined;

/** Loaded when the first text needs it: most files are UTF-8, and every file is read in a thread of its own. */
function iconv(): Library {
  library ??= require("iconv-lite") as Library;
  return library;
}

/** Creates a decoder that removes the byte-order mark and replaces what does not exist in the encoding by U+FFFD. */
export function createPieceDecoder(encoding: TextEncoding): PieceDecoder {
  return iconv().getDecoder(encoding);
}

/** Decodes a whole text. */
export function decodeText(bytes: Buffer, encoding: TextEncoding): string {
  return iconv().decode(bytes, encoding);
}

import { detectFormat } from "#app/sheets/detect-format.ts";
import { SheetError } from "#app/sheets/sheet-error.ts";
import { readInEachEncoding } from "#app/sheets/text/encoding-samples.ts";
import type { TextEncoding } from "#app/sheets/text/encodings.ts";
import { detectEncoding } from "#app/sheets/text/text-to-utf8.ts";
import type { TextSource } from "./table.server.ts";

const headBytes = 8 * 1024;

/**
 * Opens text in memory in the encoding of its byte-order mark, in the chosen one, or in the detected one. Throws
 * SheetError when the bytes are not text in that encoding.
 */
export function openText(pieces: readonly Uint8Array[], chosen: TextEncoding | null): TextSource {
  const buffers = pieces.map(asBuffer);
  const format = detectFormat(headOf(buffers), chosen ?? undefined);
  if (format.kind === "rejected") throw new SheetError("not_a_spreadsheet", format.message);
  if (format.kind !== "text") throw new Error("a stored text is no longer text");
  const encoding = format.encoding ?? detectEncoding(buffers);
  const samples = format.source === "mark" ? {} : readInEachEncoding(buffers);
  return { format: "text", pieces: buffers, encoding: { encoding, source: format.source, samples } };
}

function headOf(pieces: readonly Buffer[]): Buffer {
  const head: Buffer[] = [];
  for (let size = 0, at = 0; size < headBytes && at < pieces.length; at += 1) {
    const piece = pieces[at] ?? Buffer.alloc(0);
    head.push(piece);
    size += piece.length;
  }
  return Buffer.concat(head).subarray(0, headBytes);
}

/** Returns a Buffer that shares the array's memory. */
export function asBuffer({ buffer, byteOffset, byteLength }: Uint8Array): Buffer {
  return Buffer.from(buffer, byteOffset, byteLength);
}

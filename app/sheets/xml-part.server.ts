import { damagedSheet } from "./sheet-error.ts";
import { token, XmlScanner } from "./xml-scanner.server.ts";

/** Calls `onStart` at the start of each element of a small part, such as the list of sheets. Throws SheetError. */
export async function forEachElement(pieces: AsyncIterable<Buffer>, onStart: (at: XmlScanner) => void): Promise<void> {
  const scanner = new XmlScanner();
  for await (const piece of asUtf8(pieces)) {
    scanner.feed(piece);
    for (let kind = scanner.next(); kind !== token.need; kind = scanner.next()) {
      if (kind === token.start) onStart(scanner);
    }
  }
  scanner.requireComplete();
}

/**
 * Converts an XML part to UTF-8: it is UTF-8 or, with a byte-order mark, UTF-16. Throws SheetError for other encodings.
 */
export async function* asUtf8(pieces: AsyncIterable<Buffer>): AsyncGenerator<Buffer> {
  let decoder: TextDecoder | undefined;
  let first = true;
  for await (const piece of pieces) {
    if (first) decoder = decoderFor(piece);
    const skip = first && piece[0] === 0xef && piece[1] === 0xbb ? 3 : 0;
    first = false;
    yield decoder === undefined ? piece.subarray(skip) : Buffer.from(decoder.decode(piece, { stream: true }));
  }
}

function decoderFor(start: Buffer): TextDecoder | undefined {
  if (start[0] === 0xff && start[1] === 0xfe) return new TextDecoder("utf-16le");
  if (start[0] === 0xfe && start[1] === 0xff) return new TextDecoder("utf-16be");
  const declared = /^[^>]{0,100}encoding\s*=\s*["']([^"']*)/.exec(start.toString("latin1", 0, 200))?.[1];
  if (declared !== undefined && !/^(utf-?8|us-ascii)$/i.test(declared)) throw damagedSheet("an unknown encoding");
  return undefined;
}

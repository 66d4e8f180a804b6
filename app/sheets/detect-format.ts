import { looksLikeHtml, type TextEncoding, textOf } from "./detect-text.ts";

/** What a file is. A refused one has a sentence for the person who sent it. */
export type SheetFormat =
  /** CSV, TSV and the like; `bom` is how many bytes at the start are a byte-order mark. */
  | { kind: "text"; encoding: TextEncoding; bom: 0 | 2 | 3 }
  | { kind: "xlsx" }
  | { kind: "xls" }
  | { kind: "refused"; what: keyof typeof refusals; message: string };

const refusals = {
  empty: "The file is empty.",
  zip: "This is an archive. Unpack it and send the files in it.",
  document: "This is a text document or a presentation. Send a .csv, .xlsx or .xls file.",
  opendocument: "This is an OpenDocument file. Save it as .xlsx or .csv and send that.",
  gzip: "This is a compressed file. Unpack it and send the file in it.",
  pdf: "This is a PDF. Send the table that it was made from, as .csv or .xlsx.",
  image: "This is a picture. Send a .csv, .xlsx or .xls file.",
  html: "This is a web page, whatever its name says. Open it in a spreadsheet program and save it as .xlsx or .csv.",
  xml: "This is an XML file. Open it in a spreadsheet program and save it as .xlsx or .csv.",
  binary:
    "This is neither a spreadsheet nor text. If it is a table, save it as .xlsx, or as CSV with the encoding UTF-8.",
} as const;

const localHeader = "PK\x03\x04";
const signatures = [
  { what: "pdf", start: "%PDF-" },
  { what: "gzip", start: "\x1f\x8b" },
  { what: "image", start: "\x89PNG\r\n\x1a\n" },
  { what: "image", start: "\xff\xd8\xff" },
  { what: "image", start: "GIF87a" },
  { what: "image", start: "GIF89a" },
  { what: "zip", start: "7z\xbc\xaf\x27\x1c" },
  { what: "zip", start: "Rar!\x1a\x07" },
] as const;

/**
 * Tells by a file's first bytes, never by its name, how to read it. `head` is its first 8 KiB, or all of a shorter
 * file. An .xlsx with a password and one that only looks like a workbook are told by the reader.
 */
export function detectFormat(head: Uint8Array): SheetFormat {
  const start = latin1(head);
  if (start.startsWith(localHeader)) return archive(start);
  if (start.startsWith("PK\x05\x06")) return refused("zip");
  if (start.startsWith("\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1")) return { kind: "xls" };
  const known = signatures.find((signature) => start.startsWith(signature.start));
  if (known) return refused(known.what);
  if (start.startsWith("RIFF") && start.slice(8, 12) === "WEBP") return refused("image");
  const text = textOf(head, start);
  if (text === undefined) return refused("binary");
  if (head.length === text.bom) return refused("empty");
  if (looksLikeHtml(text.sample)) return refused("html");
  if (/^\s*<\?xml\b/i.test(text.sample)) return refused("xml");
  return { kind: "text", encoding: text.encoding, bom: text.bom };
}

/** By the names of its first files: Office writes the list of contents first, OpenDocument its type. */
function archive(start: string): SheetFormat {
  const names: string[] = [];
  for (let at = start.indexOf(localHeader); at >= 0; at = start.indexOf(localHeader, at + 4)) {
    const length = start.charCodeAt(at + 26) + 256 * start.charCodeAt(at + 27);
    names.push(start.slice(at + 30, at + 30 + length).toLowerCase());
  }
  if (start.startsWith("mimetypeapplication/vnd.oasis.open", 30)) return refused("opendocument");
  if (names.some((name) => /^(content\.xml|meta-inf\/manifest\.xml)$/.test(name))) return refused("opendocument");
  if (names.some((name) => /^(word|ppt|visio)\//.test(name))) return refused("document");
  const office = names.some((name) => /^(\[content_types\]\.xml$|xl\/|_rels\/|docprops\/)/.test(name));
  return office ? { kind: "xlsx" } : refused("zip");
}

function refused(what: keyof typeof refusals): SheetFormat {
  return { kind: "refused", what, message: refusals[what] };
}

function latin1(bytes: Uint8Array): string {
  // Windows-1252, which TextDecoder makes of latin1, would change the bytes from 0x80 on.
  let text = "";
  for (const byte of bytes) text += String.fromCharCode(byte);
  return text;
}

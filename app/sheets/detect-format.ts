import type { SpreadsheetFormat } from "./sheet-types.ts";
import { detectTextEncoding, looksLikeHtml } from "./text/detect-text-encoding.ts";
import type { TextEncoding } from "./text/encodings.ts";
import type { EncodingChoice } from "./text/text-to-utf8.ts";

/** The format of a file. A rejected file has a message for the uploader. */
export type SheetFormat =
  /** CSV, TSV and similar; `bom` is the length in bytes of the byte-order mark. */
  | ({ kind: "text"; bom: 0 | 2 | 3 } & EncodingChoice)
  | { kind: SpreadsheetFormat }
  | { kind: "rejected"; what: keyof typeof rejectionMessages; message: string };

const rejectionMessages = {
  empty: "The file is empty. Choose another file.",
  zip: "This is a ZIP archive. Unzip it and upload the files inside.",
  document: "This is a document or presentation. Upload a .csv, .xlsx, .xls or .ods file.",
  gzip: "This is a compressed file. Decompress it and upload the file inside.",
  pdf: "This is a PDF. Upload the original table as .csv or .xlsx.",
  image: "This is an image. Upload a .csv, .xlsx, .xls or .ods file.",
  html: "This is a web page. Open it in a spreadsheet app and save it as .xlsx or .csv.",
  xml: "This is an XML file. Open it in a spreadsheet app and save it as .xlsx or .csv.",
  json: "This is a JSON file. Save its data as a table, as .csv or .xlsx.",
  binary: "This file type is not supported. Save it as .xlsx or as a UTF-8 CSV file.",
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
 * Detects the format by a file's first bytes, never by its name. `head` is its first 8 KiB, or all of a shorter file.
 * The reader rejects an encrypted .xlsx and an archive that is not a workbook. `chosen` is the encoding that the
 * uploader chose for text without a byte-order mark.
 */
export function detectFormat(head: Uint8Array, chosen?: TextEncoding): SheetFormat {
  const start = latin1(head);
  if (start.startsWith(localHeader)) return detectArchive(start);
  if (start.startsWith("PK\x05\x06")) return rejectedFormat("zip");
  if (start.startsWith("\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1")) return { kind: "xls" };
  const known = signatures.find((signature) => start.startsWith(signature.start));
  if (known) return rejectedFormat(known.what);
  if (start.startsWith("RIFF") && start.slice(8, 12) === "WEBP") return rejectedFormat("image");
  const text = detectTextEncoding(head, start, chosen);
  if (text === undefined) return rejectedFormat("binary");
  if (head.length === text.bom) return rejectedFormat("empty");
  if (looksLikeHtml(text.sample)) return rejectedFormat("html");
  if (/^\s*<\?xml\b/i.test(text.sample)) return rejectedFormat("xml");
  if (looksLikeJson(text.sample)) return rejectedFormat("json");
  return { kind: "text", encoding: text.encoding, source: text.source, bom: text.bom };
}

/**
 * Whether text begins with an object that has a field, alone, in a list or one on each line. Its lines would be read as
 * addresses.
 */
function looksLikeJson(sample: string): boolean {
  return /^\s*(?:\[\s*)?\{\s*"[^"\n]*"\s*:/.test(sample);
}

/** Detects an archive's format by its first files: Office writes the list of contents first, OpenDocument its type. */
function detectArchive(start: string): SheetFormat {
  const names: string[] = [];
  for (let at = start.indexOf(localHeader); at >= 0; at = start.indexOf(localHeader, at + 4)) {
    const length = start.charCodeAt(at + 26) + 256 * start.charCodeAt(at + 27);
    names.push(start.slice(at + 30, at + 30 + length).toLowerCase());
  }
  if (start.startsWith("mimetypeapplication/vnd.oasis.open", 30)) {
    const isSpreadsheet = start.startsWith("document.spreadsheet", 30 + "mimetypeapplication/vnd.oasis.open".length);
    return isSpreadsheet ? { kind: "ods" } : rejectedFormat("document");
  }
  // Some programs leave the type out or write it later; the reader looks for tables.
  if (names.some((name) => /^(content\.xml|meta-inf\/manifest\.xml)$/.test(name))) return { kind: "ods" };
  if (names.some((name) => /^(word|ppt|visio)\//.test(name))) return rejectedFormat("document");
  const office = names.some((name) => /^(\[content_types\]\.xml$|xl\/|_rels\/|docprops\/)/.test(name));
  return office ? { kind: "xlsx" } : rejectedFormat("zip");
}

function rejectedFormat(what: keyof typeof rejectionMessages): SheetFormat {
  return { kind: "rejected", what, message: rejectionMessages[what] };
}

function latin1(bytes: Uint8Array): string {
  // TextDecoder treats latin1 as Windows-1252, which would change bytes from 0x80 to 0x9f.
  let text = "";
  for (const byte of bytes) text += String.fromCharCode(byte);
  return text;
}

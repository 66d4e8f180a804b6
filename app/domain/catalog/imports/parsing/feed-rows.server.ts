import { Readable } from "node:stream";
import { SheetError } from "#app/sheets/sheet-error.ts";
import { type TextEncoding, textEncodings } from "#app/sheets/text/encodings.ts";
import { TextToUtf8 } from "#app/sheets/text/text-to-utf8.ts";
import { asUtf8 } from "#app/sheets/xml-part.server.ts";
import { token, XmlScanner } from "#app/sheets/xml-scanner.server.ts";
import { importLimits } from "../catalog-import.ts";
import type { TableRow } from "./row-channel.ts";

/** A product feed in RSS 2.0 or Atom 1.0 with the attributes of Google Merchant Center as elements of each item. */
export type FeedSource = { format: "feed"; pieces: readonly Buffer[]; header: readonly string[] };

/** What stands before the first element can be read in one way only, so that no text takes long to be refused. */
const feedStart =
  /^(?:\xef\xbb\xbf|\xff\xfe|\xfe\xff)?\s*(?:(?:<\?(?:(?!\?>)[\s\S])*\?>|<!--(?:(?!-->)[\s\S])*-->)\s*)*<(?:(?:\w+:)?|!doctype\s+)(?:rss|feed)\b/i;

/** Whether a file's first bytes are those of an RSS or Atom feed. */
export function looksLikeFeed(head: Uint8Array): boolean {
  return feedStart.test(Buffer.from(head).toString("latin1").replaceAll("\0", ""));
}

/** Collects the names of all elements of items, in the order in which they occur: the header of the table. */
export async function openFeed(pieces: readonly Buffer[]): Promise<FeedSource> {
  const header = new Set<string>();
  for await (const items of feedItems(pieces)) {
    for (const item of items) for (const name of item.keys()) header.add(name);
    if (header.size > importLimits.columns) throw notAFeed();
  }
  if (header.size === 0) throw notAFeed();
  return { format: "feed", pieces, header: [...header] };
}

/** Yields the header as row 1, and each item as a row. */
export async function* feedRows({ pieces, header }: FeedSource): AsyncGenerator<TableRow[]> {
  let row = 1;
  yield [{ cells: header, row, count: header.length }];
  for await (const items of feedItems(pieces)) {
    yield items.map((item) => {
      row += 1;
      return { cells: header.map((name) => item.get(name) ?? ""), row, count: header.length };
    });
  }
}

/**
 * Yields the items of each piece as the texts of their elements. Throws SheetError for invalid XML and document types.
 */
async function* feedItems(pieces: readonly Buffer[]): AsyncGenerator<Map<string, string>[]> {
  const items = new ItemReader();
  try {
    for await (const piece of utf8Pieces(pieces)) yield items.push(piece);
    items.end();
  } catch (error) {
    if (!(error instanceof SheetError)) throw error;
    throw new SheetError(
      error.code,
      error.code === "too_long_cell"
        ? "An element of the feed has too much text. Shorten it and upload the feed again."
        : "The feed is not valid XML, its text is not in the encoding that it names, or it declares a document type. Create it again and upload that.",
    );
  }
}

/** The declaration stands at the very start. */
const maxDeclarationBytes = 256;

/**
 * The encodings whose name in XML is not the one here. Programs that name ISO-8859-1 write Windows-1252, which contains
 * it.
 */
const encodingsByName: Record<string, TextEncoding> = {
  "iso-8859-1": "windows-1252",
  latin1: "windows-1252",
  cp1252: "windows-1252",
  cp1251: "windows-1251",
  "shift-jis": "shift_jis",
  "windows-31j": "shift_jis",
  gb2312: "gb18030",
  gbk: "gb18030",
  // What is readable as ASCII is not UTF-16: some programs name the encoding of their memory.
  "utf-16": "utf-8",
};

/** Yields the feed in UTF-8. Throws SheetError for an encoding that is not known. */
async function* utf8Pieces(pieces: readonly Buffer[]): AsyncGenerator<Buffer> {
  const encoding = declaredEncoding(pieces);
  const converter = encoding && new TextToUtf8({ encoding, source: "detected" });
  if (!converter) {
    yield* asUtf8(Readable.from(pieces));
    return;
  }
  for (const piece of pieces) yield converter.push(piece);
  yield converter.end();
}

/**
 * Returns the encoding that the XML declaration names; undefined when a byte-order mark or nothing does, or it is not
 * known.
 */
function declaredEncoding(pieces: readonly Buffer[]): TextEncoding | undefined {
  let head = "";
  for (const piece of pieces) {
    head += piece.toString("latin1", 0, maxDeclarationBytes);
    if (head.length >= maxDeclarationBytes) break;
  }
  const [, name = ""] = /^\s*<\?xml\b[^>]*?\bencoding\s*=\s*["']([\w.:-]+)/i.exec(head) ?? [];
  const known = name.toLowerCase();
  return encodingsByName[known] ?? textEncodings.find((encoding) => encoding === known);
}

type Item = {
  depth: number;
  values: Map<string, string>;
  ranks: Map<string, number>;
  name: string;
  rank: number;
  text: string;
};

/**
 * Collects the elements of RSS items and Atom entries. Of elements with the same name those of Google come first: an
 * Atom entry has an id of its own beside the product's. Of equal ones the first with a text counts; what is inside of
 * an element, such as the price of a shipping method, is not the item's.
 */
class ItemReader {
  private readonly scanner = new XmlScanner();
  private item: Item | undefined;

  push(piece: Buffer): Map<string, string>[] {
    const { scanner } = this;
    const items: Map<string, string>[] = [];
    scanner.feed(piece);
    for (let kind = scanner.next(); kind !== token.need; kind = scanner.next()) {
      const { item } = this;
      if (kind === token.start) this.start();
      else if (kind === token.text) {
        if (item && scanner.depth === item.depth + 1) item.text += scanner.text();
      } else if (item && scanner.depth < item.depth) {
        items.push(item.values);
        this.item = undefined;
      } else if (item && scanner.depth === item.depth) {
        endElement(item);
      }
    }
    return items;
  }

  end(): void {
    this.scanner.requireComplete();
  }

  private start(): void {
    const { scanner, item } = this;
    const name = scanner.name();
    if (item && scanner.depth === item.depth + 1)
      Object.assign(item, { name, rank: rankOfPrefix(scanner.prefix()), text: "" });
    else if (!item && /^(?:item|entry)$/i.test(name))
      this.item = { depth: scanner.depth, values: new Map(), ranks: new Map(), name: "", rank: 0, text: "" };
  }
}

/** The elements of Google have `g`; those without a prefix are the feed's own, and others about media or the shop. */
function rankOfPrefix(prefix: string): number {
  if (prefix === "g") return 2;
  return prefix === "" ? 1 : 0;
}

function endElement({ values, ranks, name, rank, text }: Item): void {
  const value = text.trim();
  if (values.get(name) && (value === "" || rank <= (ranks.get(name) ?? 0))) return;
  values.set(name, value);
  ranks.set(name, rank);
}

function notAFeed(): SheetError {
  return new SheetError(
    "not_a_spreadsheet",
    "The feed has no products. Upload a Google Merchant feed with one item for each product.",
  );
}

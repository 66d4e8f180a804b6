import { posix } from "node:path";
import { damagedSheet, SheetError } from "./sheet-error.ts";
import type { RandomAccessFile, SheetInfo, SheetLimits } from "./sheet-types.ts";
import { forEachElement } from "./xml-part.server.ts";
import { inflateEntry, requireEntrySize } from "./zip/inflate-entry.server.ts";
import type { ZipEntry } from "./zip/zip-directory.server.ts";

/** The parts of a workbook that contain its cells. */
export type Workbook = {
  sheets: (SheetInfo & { entry: ZipEntry })[];
  sharedStrings: ZipEntry | undefined;
  styles: ZipEntry | undefined;
  /** Whether its dates count from 1904. */
  is1904: boolean;
};

type Archive = { file: RandomAccessFile; entries: Map<string, ZipEntry>; limits: SheetLimits };
type Relation = { id: string; kind: string; target: string };

/** The limit in bytes for the lists of parts and of sheets. */
const maxListBytes = 16 * 1024 * 1024;

/**
 * Finds the worksheets by the relationships between the parts (ECMA-376 part 2, 9.3), transitional or strict: the last
 * segment of a relationship's type says what it is. Charts, macros and links to other files are relationships too and
 * are never opened. Throws SheetError, also when a part that will be read is too large.
 */
export async function findWorkbook(archive: Archive): Promise<Workbook> {
  const { entries, limits } = archive;
  const main = (await readRelations(archive, "")).find(({ kind }) => kind === "officeDocument")?.target;
  const book = main === undefined ? undefined : entries.get(main);
  if (main === undefined || book === undefined) throw notASpreadsheet();
  if (main.endsWith(".bin"))
    throw new SheetError("not_a_spreadsheet", `This is a binary workbook (.xlsb). ${saveAsHint}`);
  const relations = await readRelations(archive, main);
  const parts = new Map<string, string>();
  for (const { id, kind, target } of relations) if (kind === "worksheet") parts.set(id, target);

  const sheets: Workbook["sheets"] = [];
  let root = "";
  let is1904 = false;
  await forEachElementOf(archive, book, (at) => {
    if (at.depth === 1) root = at.name();
    if (at.depth === 2 && at.name() === "workbookPr") is1904 = /^(?:1|true|on)$/.test(at.attribute("date1904") ?? "");
    if (at.depth !== 3 || at.name() !== "sheet") return;
    const part = parts.get(at.attribute("id") ?? "");
    if (part === undefined) return;
    const entry = entries.get(part);
    if (entry === undefined) throw damagedSheet("missing sheet");
    if (sheets.some((sheet) => sheet.entry === entry)) throw damagedSheet("duplicate sheet");
    const hidden = (at.attribute("state") ?? "visible") !== "visible";
    sheets.push({ name: at.attribute("name") ?? "", hidden, entry });
  });
  if (root !== "workbook") throw notASpreadsheet();
  if (sheets.length === 0) throw new SheetError("not_a_spreadsheet", "This workbook has no data. Choose another file.");
  const partOf = (kind: string) => entries.get(relations.find((relation) => relation.kind === kind)?.target ?? "");
  const [sharedStrings, styles] = [partOf("sharedStrings"), partOf("styles")];
  requireSizes(sheets, sharedStrings, limits);
  if (styles) requireEntrySize(styles, maxListBytes, limits);
  return { sheets, sharedStrings, styles, is1904 };
}

function requireSizes(sheets: Workbook["sheets"], shared: ZipEntry | undefined, limits: SheetLimits): void {
  let left = limits.totalBytes;
  for (const { entry } of sheets) {
    requireEntrySize(entry, Math.min(left, limits.sheetBytes), limits);
    left -= entry.uncompressedSize;
  }
  if (shared !== undefined) requireEntrySize(shared, Math.min(left, limits.sharedTableBytes), limits);
}

/** Returns the relationships of a part, or of the package for `""`, without those to external targets. */
async function readRelations(archive: Archive, part: string): Promise<Relation[]> {
  const folder = part === "" ? "" : posix.dirname(part);
  const entry = archive.entries.get(posix.join(folder, "_rels", `${posix.basename(part)}.rels`));
  const relations: Relation[] = [];
  if (entry === undefined) return relations;
  await forEachElementOf(archive, entry, (at) => {
    if (at.depth !== 2 || at.name() !== "Relationship" || at.attribute("TargetMode") === "External") return;
    const kind = (at.attribute("Type") ?? "").split("/").at(-1) ?? "";
    const target = posix.resolve("/", folder, at.attribute("Target") ?? "").slice(1);
    relations.push({ id: at.attribute("Id") ?? "", kind, target: target.toLowerCase() });
  });
  return relations;
}

async function forEachElementOf(
  { file, limits }: Archive,
  entry: ZipEntry,
  onStart: Parameters<typeof forEachElement>[1],
) {
  requireEntrySize(entry, maxListBytes, limits);
  await forEachElement(inflateEntry(file, entry), onStart);
}

export const saveAsHint = "Open it in a spreadsheet app and save it as .xlsx or .csv.";

export function notASpreadsheet(): SheetError {
  return new SheetError("not_a_spreadsheet", `This file is not an Excel workbook. ${saveAsHint}`);
}

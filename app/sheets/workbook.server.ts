import { posix } from "node:path";
import { damaged, SheetError } from "./sheet-error.ts";
import type { RandomAccess, SheetLimits, SheetName } from "./sheet-reading.ts";
import { forEachElement } from "./xml-part.server.ts";
import type { ZipEntry } from "./zip-directory.server.ts";
import { refuseTooLarge, unpackPart } from "./zip-part.server.ts";

/** The parts of a workbook that hold its cells. */
export type Workbook = { sheets: (SheetName & { entry: ZipEntry })[]; sharedStrings: ZipEntry | undefined };

type Archive = { file: RandomAccess; entries: Map<string, ZipEntry>; limits: SheetLimits };
type Relation = { id: string; kind: string; target: string };

/** For the lists of parts and of sheets. */
const smallPart = 16 * 1024 * 1024;

/**
 * Finds the worksheets by the relations between the parts (ECMA-376 part 2, 9.3), transitional or strict: only the
 * last word of a relation's type differs between what is wanted and what is not. Charts, macros and links to other
 * files are relations too and are never opened. Throws SheetError, also when a part that will be read is too large.
 */
export async function findWorkbook(archive: Archive): Promise<Workbook> {
  const { entries, limits } = archive;
  const main = (await relationsOf(archive, "")).find(({ kind }) => kind === "officeDocument")?.target;
  const book = main === undefined ? undefined : entries.get(main);
  if (main === undefined || book === undefined) throw notASpreadsheet();
  if (main.endsWith(".bin")) throw new SheetError("not_a_spreadsheet", `This is a binary workbook (.xlsb). ${saveAs}`);
  const relations = await relationsOf(archive, main);
  const parts = new Map<string, string>();
  for (const { id, kind, target } of relations) if (kind === "worksheet") parts.set(id, target);

  const sheets: Workbook["sheets"] = [];
  let root = "";
  await eachElement(archive, book, (at) => {
    if (at.depth === 1) root = at.name();
    if (at.depth !== 3 || at.name() !== "sheet") return;
    const part = parts.get(at.attribute("id") ?? "");
    if (part === undefined) return;
    const entry = entries.get(part);
    if (entry === undefined) throw damaged("a sheet that is not there");
    if (sheets.some((sheet) => sheet.entry === entry)) throw damaged("one sheet under two names");
    const hidden = (at.attribute("state") ?? "visible") !== "visible";
    sheets.push({ name: at.attribute("name") ?? "", hidden, entry });
  });
  if (root !== "workbook") throw notASpreadsheet();
  if (sheets.length === 0) throw new SheetError("not_a_spreadsheet", "This workbook has no sheet with cells.");
  const table = relations.find(({ kind }) => kind === "sharedStrings")?.target;
  const sharedStrings = table === undefined ? undefined : entries.get(table);
  refuseAllTooLarge(sheets, sharedStrings, limits);
  return { sheets, sharedStrings };
}

function refuseAllTooLarge(sheets: Workbook["sheets"], shared: ZipEntry | undefined, limits: SheetLimits): void {
  let left = limits.totalBytes;
  for (const { entry } of sheets) {
    refuseTooLarge(entry, Math.min(left, limits.sheetBytes), limits);
    left -= entry.unpacked;
  }
  if (shared !== undefined) refuseTooLarge(shared, Math.min(left, limits.sharedTableBytes), limits);
}

/** The relations of a part within the archive, `""` for those of the whole; what lies outside is not among them. */
async function relationsOf(archive: Archive, part: string): Promise<Relation[]> {
  const folder = part === "" ? "" : posix.dirname(part);
  const entry = archive.entries.get(posix.join(folder, "_rels", `${posix.basename(part)}.rels`));
  const relations: Relation[] = [];
  if (entry === undefined) return relations;
  await eachElement(archive, entry, (at) => {
    if (at.depth !== 2 || at.name() !== "Relationship" || at.attribute("TargetMode") === "External") return;
    const kind = (at.attribute("Type") ?? "").split("/").at(-1) ?? "";
    const target = posix.resolve("/", folder, at.attribute("Target") ?? "").slice(1);
    relations.push({ id: at.attribute("Id") ?? "", kind, target: target.toLowerCase() });
  });
  return relations;
}

async function eachElement({ file, limits }: Archive, entry: ZipEntry, onStart: Parameters<typeof forEachElement>[1]) {
  refuseTooLarge(entry, smallPart, limits);
  await forEachElement(unpackPart(file, entry), onStart);
}

export const saveAs = "Open it in a spreadsheet program and save it as .xlsx or .csv.";

export function notASpreadsheet(): SheetError {
  return new SheetError("not_a_spreadsheet", `This file is not an Excel workbook. ${saveAs}`);
}

import type { RandomAccessFile } from "#app/sheets/sheet-types.ts";
import { type ZipFile, zip } from "./zip.ts";

const office = "http://schemas.openxmlformats.org/officeDocument/2006/relationships";
const namespace = "http://schemas.openxmlformats.org/spreadsheetml/2006/main";
export const strictOffice = "http://purl.oclc.org/ooxml/officeDocument/relationships";
export const strictNamespace = "http://purl.oclc.org/ooxml/spreadsheetml/main";
const packageNamespace = "http://schemas.openxmlformats.org/package/2006/relationships";
const declaration = '<?xml version="1.0" encoding="UTF-8" standalone="yes"?>\n';

type TestSheet = { name: string; xml: string; state?: string; lie?: Partial<ZipFile> };

type WorkbookParts = {
  sheets: TestSheet[];
  sharedStrings?: string;
  /** Other files of the archive; one with a name that is made here replaces it. */
  more?: ZipFile[];
  relations?: string;
  officeBase?: string;
};

export function relation(id: string, kind: string, target: string, base = office): string {
  return `<Relationship Id="${id}" Type="${base}/${kind}" Target="${target}"/>`;
}

/** Returns a worksheet with this content of `<sheetData>`. */
export function sheetXml(rows: string): string {
  return `${declaration}<worksheet xmlns="${namespace}"><sheetData>${rows}</sheetData></worksheet>`;
}

export function sharedXml(texts: string[], escaped = xmlEscape): string {
  return `${declaration}<sst xmlns="${namespace}">${texts.map((text) => `<si><t>${escaped(text)}</t></si>`).join("")}</sst>`;
}

/** The files of an .xlsx as Excel would lay them out. */
export function workbookFiles({
  sheets,
  sharedStrings,
  more = [],
  relations = "",
  officeBase,
}: WorkbookParts): ZipFile[] {
  const parts = sheets.map(({ xml, lie }, index): ZipFile => ({ name: sheetPath(index), data: xml, ...lie }));
  const links = sheets.map((_, index) =>
    relation(`rId${index}`, "worksheet", `worksheets/sheet${index}.xml`, officeBase),
  );
  if (sharedStrings !== undefined) links.push(relation("rIdS", "sharedStrings", "sharedStrings.xml", officeBase));
  const list = sheets.map(({ name, state }, index) => {
    return `<sheet name="${xmlEscape(name)}" sheetId="${index + 1}"${state ? ` state="${state}"` : ""} r:id="rId${index}"/>`;
  });
  const created: ZipFile[] = [
    { name: "[Content_Types].xml", data: `${declaration}<Types/>` },
    { name: "_rels/.rels", data: relationsXml(relation("rId1", "officeDocument", "xl/workbook.xml", officeBase)) },
    { name: "xl/workbook.xml", data: workbookXml(list.join("")) },
    { name: "xl/_rels/workbook.xml.rels", data: relationsXml(links.join("") + relations) },
    ...parts,
  ];
  if (sharedStrings !== undefined) created.push({ name: "xl/sharedStrings.xml", data: sharedStrings });
  return [...created.filter(({ name }) => !more.some((file) => file.name === name)), ...more];
}

export function workbook(parts: WorkbookParts): Buffer {
  return zip(workbookFiles(parts));
}

/** A workbook of one sheet with these rows. */
export function workbookOf(rows: string, sharedStrings?: string): Buffer {
  return workbook({ sheets: [{ name: "Sheet1", xml: sheetXml(rows) }], sharedStrings });
}

function sheetPath(index: number): string {
  return `xl/worksheets/sheet${index}.xml`;
}

export function relationsXml(inner: string): string {
  return `${declaration}<Relationships xmlns="${packageNamespace}">${inner}</Relationships>`;
}

export function workbookXml(sheets: string): string {
  return `${declaration}<workbook xmlns="${namespace}" xmlns:r="${office}"><sheets>${sheets}</sheets></workbook>`;
}

export function xmlEscape(text: string): string {
  return text.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll(">", "&gt;").replaceAll('"', "&quot;");
}

/** Bytes in memory as a file. */
export function inMemory(bytes: Uint8Array): RandomAccessFile {
  return {
    size: bytes.length,
    read: async (offset, length) => {
      if (!(offset >= 0 && length >= 0 && offset + length <= bytes.length)) throw new RangeError("outside");
      return bytes.subarray(offset, offset + length);
    },
  };
}

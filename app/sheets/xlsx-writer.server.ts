import { once } from "node:events";
import { crc32, createDeflateRaw } from "node:zlib";
import { encodeCellText } from "./xml-text.ts";
import { plainFile, type ZipFile, zipAround } from "./zip-writer.server.ts";

export type SheetValue = string | number | null;
/** How a row's numbers are shown: whole, with two decimals, or as they are. */
export type NumberLook = "whole" | "decimals";

/**
 * Writes an XLSX of one sheet row by row: what is written is deflated at once and handed to `write`, one piece after the other,
 * so that memory holds neither its rows nor the file. Text is text, whatever it begins with, and numbers are numbers. `add` rows,
 * then `end` for what stands before and after the bytes that were written.
 */
export function openXlsx({
  sheet,
  looks,
  write: keep,
}: {
  sheet: string;
  looks: readonly (NumberLook | null)[];
  write: (piece: Uint8Array) => Promise<void>;
}) {
  const deflate = createDeflateRaw({ level: 6 });
  const kept = keepAll();
  // Who adds rows is told of its failure.
  kept.catch(() => undefined);
  let packed = 0;
  let crc = 0;
  let size = 0;
  let rows = 0;

  async function keepAll(): Promise<void> {
    for await (const piece of deflate) {
      packed += piece.length;
      await keep(piece);
    }
  }

  async function write(text: string): Promise<void> {
    const bytes = Buffer.from(text);
    crc = crc32(bytes, crc);
    size += bytes.length;
    if (!deflate.write(bytes)) await Promise.race([once(deflate, "drain"), kept]);
  }

  function rowOf(values: readonly SheetValue[], bold: boolean): string {
    rows += 1;
    const cells = values.map((value, place) => cellOf(value, styleOf(looks[place]) + (bold ? 3 : 0), bold ? 3 : 0));
    return `<row r="${rows}">${cells.join("")}</row>`;
  }

  const begun = write(
    `${xmlHead}<worksheet xmlns="${mainNamespace}"><sheetViews><sheetView workbookViewId="0"><pane ySplit="1" topLeftCell="A2" activePane="bottomLeft" state="frozen"/></sheetView></sheetViews><sheetData>`,
  );
  return {
    async add(more: readonly (readonly SheetValue[])[], { bold = false } = {}): Promise<void> {
      await begun;
      await write(more.map((values) => rowOf(values, bold)).join(""));
    },
    async end(): Promise<{ before: Buffer; after: Buffer }> {
      await begun;
      await write("</sheetData></worksheet>");
      deflate.end();
      await kept;
      return zipAround(partsAround(sheet), { name: "xl/worksheets/sheet1.xml", packed, crc, size, deflated: true });
    },
  };
}

function styleOf(look: NumberLook | null | undefined): number {
  return look === "whole" ? 1 : look === "decimals" ? 2 : 0;
}

function cellOf(value: SheetValue, numberStyle: number, textStyle: number): string {
  if (value === null) return "<c/>";
  if (typeof value === "number") return `<c s="${numberStyle}"><v>${value}</v></c>`;
  return `<c s="${textStyle}" t="inlineStr"><is><t xml:space="preserve">${encodeCellText(value)}</t></is></c>`;
}

const xmlHead = '<?xml version="1.0" encoding="UTF-8" standalone="yes"?>';
const mainNamespace = "http://schemas.openxmlformats.org/spreadsheetml/2006/main";
const office = "http://schemas.openxmlformats.org/officeDocument/2006/relationships";
const packages = "http://schemas.openxmlformats.org/package/2006";
const spreadsheet = "application/vnd.openxmlformats-officedocument.spreadsheetml";

/** What a workbook consists of beside its cells (ECMA-376 part 1, 12). Styles: plain, whole, two decimals; the same in bold. */
function partsAround(sheet: string): ZipFile[] {
  const relation = (id: string, kind: string, target: string) =>
    `<Relationship Id="${id}" Type="${office}/${kind}" Target="${target}"/>`;
  const relations = (...all: string[]) =>
    `${xmlHead}<Relationships xmlns="${packages}/relationships">${all.join("")}</Relationships>`;
  const part = (path: string, kind: string) =>
    `<Override PartName="/xl/${path}" ContentType="${spreadsheet}.${kind}+xml"/>`;
  return [
    plainFile(
      "[Content_Types].xml",
      `${xmlHead}<Types xmlns="${packages}/content-types"><Default Extension="rels" ContentType="application/vnd.openxmlformats-package.relationships+xml"/>${part("workbook.xml", "sheet.main")}${part("worksheets/sheet1.xml", "worksheet")}${part("styles.xml", "styles")}</Types>`,
    ),
    plainFile("_rels/.rels", relations(relation("rId1", "officeDocument", "xl/workbook.xml"))),
    plainFile(
      "xl/workbook.xml",
      `${xmlHead}<workbook xmlns="${mainNamespace}" xmlns:r="${office}"><sheets><sheet name="${sheet}" sheetId="1" r:id="rId1"/></sheets></workbook>`,
    ),
    plainFile(
      "xl/_rels/workbook.xml.rels",
      relations(relation("rId1", "worksheet", "worksheets/sheet1.xml"), relation("rId2", "styles", "styles.xml")),
    ),
    plainFile(
      "xl/styles.xml",
      `${xmlHead}<styleSheet xmlns="${mainNamespace}"><fonts count="2"><font><sz val="11"/><name val="Calibri"/></font><font><b/><sz val="11"/><name val="Calibri"/></font></fonts><fills count="2"><fill><patternFill patternType="none"/></fill><fill><patternFill patternType="gray125"/></fill></fills><borders count="1"><border/></borders><cellStyleXfs count="1"><xf/></cellStyleXfs><cellXfs count="6">${xf(0, 0)}${xf(3, 0)}${xf(4, 0)}${xf(0, 1)}${xf(3, 1)}${xf(4, 1)}</cellXfs></styleSheet>`,
    ),
  ];
}

/** Number formats 3 and 4 are built in: `#,##0` and `#,##0.00`. */
function xf(format: number, font: number): string {
  return `<xf numFmtId="${format}" fontId="${font}" fillId="0" borderId="0" xfId="0" applyNumberFormat="1" applyFont="1"/>`;
}

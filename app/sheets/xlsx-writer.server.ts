import { once } from "node:events";
import { crc32, createDeflateRaw } from "node:zlib";
import { encodeCellText } from "./xml-text.ts";
import { storedZipFile, type ZipFile, zipFraming } from "./zip/zip-writer.server.ts";

export type SheetValue = string | number | null;
/** How the numbers of a column are displayed: whole, or with two decimals. */
export type CellNumberFormat = "whole" | "decimals";

/**
 * Writes an XLSX of one sheet row by row: each piece is deflated at once and passed to `write`, so that neither the
 * rows nor the file are in memory. A string is a text cell, whatever it begins with, and a number is a number cell.
 * `add` rows, then `end` returns the bytes that precede and follow the written ones. Both reject when `write` fails.
 */
export function createXlsxWriter({
  sheet,
  formats,
  write: writePiece,
}: {
  sheet: string;
  formats: readonly (CellNumberFormat | null)[];
  write: (piece: Uint8Array) => Promise<void>;
}) {
  const deflate = createDeflateRaw({ level: 6 });
  const written = writePieces();
  // A failure of `write` rejects `add` or `end`; without this line it would also be an unhandled rejection.
  written.catch(() => undefined);
  let compressedSize = 0;
  let crc = 0;
  let size = 0;
  let rows = 0;

  async function writePieces(): Promise<void> {
    for await (const piece of deflate) {
      compressedSize += piece.length;
      await writePiece(piece);
    }
  }

  async function write(text: string): Promise<void> {
    const bytes = Buffer.from(text);
    crc = crc32(bytes, crc);
    size += bytes.length;
    if (!deflate.write(bytes)) await Promise.race([once(deflate, "drain"), written]);
  }

  function rowOf(values: readonly SheetValue[], bold: boolean): string {
    rows += 1;
    const cells = values.map((value, column) => cellOf(value, styleOf(formats[column]) + (bold ? 3 : 0), bold ? 3 : 0));
    return `<row r="${rows}">${cells.join("")}</row>`;
  }

  const started = write(
    `${xmlHead}<worksheet xmlns="${mainNamespace}"><sheetViews><sheetView workbookViewId="0"><pane ySplit="1" topLeftCell="A2" activePane="bottomLeft" state="frozen"/></sheetView></sheetViews><sheetData>`,
  );
  return {
    async add(more: readonly (readonly SheetValue[])[], { bold = false } = {}): Promise<void> {
      await started;
      await write(more.map((values) => rowOf(values, bold)).join(""));
    },
    async end(): Promise<{ before: Buffer; after: Buffer }> {
      await started;
      await write("</sheetData></worksheet>");
      deflate.end();
      await written;
      return zipFraming(partsAround(sheet), {
        name: "xl/worksheets/sheet1.xml",
        packed: compressedSize,
        crc,
        size,
        deflated: true,
      });
    },
  };
}

function styleOf(format: CellNumberFormat | null | undefined): number {
  return format === "whole" ? 1 : format === "decimals" ? 2 : 0;
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

/**
 * Returns the parts of a workbook besides its cells (ECMA-376 part 1, 12). Styles: plain, whole, two decimals; the same
 * in bold.
 */
function partsAround(sheet: string): ZipFile[] {
  const relation = (id: string, kind: string, target: string) =>
    `<Relationship Id="${id}" Type="${office}/${kind}" Target="${target}"/>`;
  const relations = (...all: string[]) =>
    `${xmlHead}<Relationships xmlns="${packages}/relationships">${all.join("")}</Relationships>`;
  const part = (path: string, kind: string) =>
    `<Override PartName="/xl/${path}" ContentType="${spreadsheet}.${kind}+xml"/>`;
  return [
    storedZipFile(
      "[Content_Types].xml",
      `${xmlHead}<Types xmlns="${packages}/content-types"><Default Extension="rels" ContentType="application/vnd.openxmlformats-package.relationships+xml"/>${part("workbook.xml", "sheet.main")}${part("worksheets/sheet1.xml", "worksheet")}${part("styles.xml", "styles")}</Types>`,
    ),
    storedZipFile("_rels/.rels", relations(relation("rId1", "officeDocument", "xl/workbook.xml"))),
    storedZipFile(
      "xl/workbook.xml",
      `${xmlHead}<workbook xmlns="${mainNamespace}" xmlns:r="${office}"><sheets><sheet name="${sheet}" sheetId="1" r:id="rId1"/></sheets></workbook>`,
    ),
    storedZipFile(
      "xl/_rels/workbook.xml.rels",
      relations(relation("rId1", "worksheet", "worksheets/sheet1.xml"), relation("rId2", "styles", "styles.xml")),
    ),
    storedZipFile(
      "xl/styles.xml",
      `${xmlHead}<styleSheet xmlns="${mainNamespace}"><fonts count="2"><font><sz val="11"/><name val="Calibri"/></font><font><b/><sz val="11"/><name val="Calibri"/></font></fonts><fills count="2"><fill><patternFill patternType="none"/></fill><fill><patternFill patternType="gray125"/></fill></fills><borders count="1"><border/></borders><cellStyleXfs count="1"><xf/></cellStyleXfs><cellXfs count="6">${xf(0, 0)}${xf(3, 0)}${xf(4, 0)}${xf(0, 1)}${xf(3, 1)}${xf(4, 1)}</cellXfs></styleSheet>`,
    ),
  ];
}

/** Number formats 3 and 4 are built in: `#,##0` and `#,##0.00`. */
function xf(format: number, font: number): string {
  return `<xf numFmtId="${format}" fontId="${font}" fillId="0" borderId="0" xfId="0" applyNumberFormat="1" applyFont="1"/>`;
}

import PDFDocument from "pdfkit";
import { fitText, toSingleLine } from "./fit-text.ts";
import { factHeight, firstFactY, firstTableY, layoutPages, margin, rowHeight } from "./page-layout.ts";
import type { PdfDocument } from "./paper-document.ts";
import { fontFiles, transliterate } from "./transliterate.server.ts";

const ink = { body: "#14171f", muted: "#5b6373", line: "#d5d9e0", head: "#f1f3f6" };

type Sheet = PDFKit.PDFDocument;
type Table = PdfDocument["table"];

/**
 * Writes a document as PDF in US letter size, with the table's header and a page number on every page; yields each page
 * when it is laid out. Long names are truncated. Pages are counted first, because each page shows the total.
 */
export async function* writePdf(document: PdfDocument): AsyncGenerator<Uint8Array<ArrayBuffer>, void> {
  const { title, issuer, createdAt, table, note, isLandscape } = document;
  const layout = isLandscape ? "landscape" : "portrait";
  const info = { Title: toSingleLine(title), Author: issuer, CreationDate: createdAt, ModDate: createdAt };
  const sheet = new PDFDocument({ size: "LETTER", layout, margin, autoFirstPage: false, info, lang: "en-US" });
  sheet.registerFont("regular", fontFiles.regular).registerFont("bold", fontFiles.bold);
  const pages = layoutPages(document);
  for (const [at, { rows, hasNote }] of pages.entries()) {
    sheet.addPage();
    if (at === 0) writeHead(sheet, document);
    if (rows) writeRows(sheet, table, rows);
    if (hasNote && note) writeNote(sheet, note);
    writePageNumber(sheet, `${issuer} · Page ${at + 1} of ${pages.length}`);
    sheet.flushPages();
    const written = sheet.read();
    if (written instanceof Buffer) yield new Uint8Array(written);
  }
  sheet.end();
  const rest: Buffer[] = [];
  for await (const written of sheet) rest.push(written);
  yield new Uint8Array(Buffer.concat(rest));
}

function writeHead(sheet: Sheet, { title, subtitle, issuer, facts }: PdfDocument): void {
  const width = widthOf(sheet);
  line(sheet, issuer, { x: margin, y: margin, width, font: "bold", size: 11, color: ink.muted });
  line(sheet, title, { x: margin, y: margin + 22, width, font: "bold", size: 20 });
  line(sheet, subtitle, { x: margin, y: margin + 50, width, size: 10, color: ink.muted });
  let y = firstFactY;
  for (const { label, value } of facts) {
    line(sheet, label, { x: margin, y, width: 120, size: 9, color: ink.muted });
    line(sheet, value, { x: margin + 124, y, width: width - 124, size: 9 });
    y += factHeight;
  }
  sheet.y = firstTableY(facts.length);
}

function writeRows(sheet: Sheet, { columns, totals }: Table, rows: Table["rows"]): void {
  const heads = columns.map(({ head }) => head);
  writeRow(sheet, columns, heads, { font: "bold", fill: ink.head });
  for (const row of rows) writeRow(sheet, columns, row, { font: row === totals ? "bold" : "regular" });
}

function writeRow(
  sheet: Sheet,
  columns: Table["columns"],
  cells: readonly string[],
  { font, fill }: { font: "regular" | "bold"; fill?: string },
): void {
  const top = sheet.y;
  const width = widthOf(sheet);
  const parts = columns.reduce((sum, column) => sum + column.width, 0);
  if (fill) sheet.rect(margin, top, width, rowHeight).fill(fill);
  let x = margin;
  for (const [at, column] of columns.entries()) {
    const own = (width * column.width) / parts;
    const box = { x: x + 4, y: top + 5, width: own - 8, size: 9, font, right: column.right };
    line(sheet, cells[at] ?? "", box);
    x += own;
  }
  sheet
    .moveTo(margin, top + rowHeight)
    .lineTo(margin + width, top + rowHeight)
    .lineWidth(0.5)
    .stroke(ink.line);
  sheet.y = top + rowHeight;
}

function writeNote(sheet: Sheet, note: string): void {
  line(sheet, note, { x: margin, y: sheet.y + 14, width: widthOf(sheet), size: 9, color: ink.muted });
}

function writePageNumber(sheet: Sheet, text: string): void {
  // Text below the bottom margin would otherwise start a new page.
  sheet.page.margins.bottom = 0;
  const box = { x: margin, y: sheet.page.height - 32, width: widthOf(sheet), size: 8, color: ink.muted };
  line(sheet, text, { ...box, right: true });
}

/** Digits of equal width, so that amounts are aligned. */
const figures: PDFKit.Mixins.OpenTypeFeatures[] = ["tnum"];

type Box = {
  x: number;
  y: number;
  width: number;
  size: number;
  font?: "regular" | "bold";
  color?: string;
  right?: boolean;
};

function line(sheet: Sheet, text: string, { x, y, width, size, font = "regular", color = ink.body, right }: Box): void {
  sheet.font(font).fontSize(size).fillColor(color);
  // Text without features is laid out once for the whole document.
  const options = { lineBreak: false, ...(/\d/.test(text) && { features: figures }) };
  const fitting = fitText(transliterate(toSingleLine(text)), (part) => sheet.widthOfString(part, options) <= width);
  sheet.text(fitting, right ? x + width - sheet.widthOfString(fitting, options) : x, y, options);
}

function widthOf(sheet: Sheet): number {
  return sheet.page.width - 2 * margin;
}

import PDFDocument from "pdfkit";
import { fitText, plainLine } from "./fit-text.ts";
import { fontFiles, inOurLetters } from "./our-letters.server.ts";
import type { PaperDocument } from "./paper-document.ts";

const margin = 48;
const rowHeight = 20;
const ink = { body: "#14171f", muted: "#5b6373", line: "#d5d9e0", head: "#f1f3f6" };

type Sheet = PDFKit.PDFDocument;
type Table = PaperDocument["table"];

/** Writes it as PDF, letter size, with a head of the table and a number on every page. No name breaks it: what does not fit is cut short. */
export async function writePdf(document: PaperDocument): Promise<Uint8Array<ArrayBuffer>> {
  const { title, issuer, madeAt } = document;
  const info = { Title: plainLine(title), Author: issuer, CreationDate: madeAt, ModDate: madeAt };
  const sheet = new PDFDocument({ size: "LETTER", margin, bufferPages: true, info, lang: "en-US" });
  const pieces: Buffer[] = [];
  sheet.on("data", (piece: Buffer) => pieces.push(piece));
  const ended = new Promise<void>((resolve, reject) => {
    sheet.on("end", resolve);
    sheet.on("error", reject);
  });
  sheet.registerFont("regular", fontFiles.regular).registerFont("bold", fontFiles.bold);
  writeHead(sheet, document);
  writeTable(sheet, document.table);
  if (document.note) writeNote(sheet, document.note);
  numberPages(sheet, issuer);
  sheet.end();
  await ended;
  return new Uint8Array(Buffer.concat(pieces));
}

function writeHead(sheet: Sheet, { title, subtitle, issuer, facts }: PaperDocument): void {
  const width = widthOf(sheet);
  line(sheet, issuer, { x: margin, y: margin, width, font: "bold", size: 11, color: ink.muted });
  line(sheet, title, { x: margin, y: margin + 22, width, font: "bold", size: 20 });
  line(sheet, subtitle, { x: margin, y: margin + 50, width, size: 10, color: ink.muted });
  let y = margin + 80;
  for (const { label, value } of facts) {
    line(sheet, label, { x: margin, y, width: 120, size: 9, color: ink.muted });
    line(sheet, value, { x: margin + 124, y, width: width - 124, size: 9 });
    y += 16;
  }
  sheet.y = y + 16;
}

function writeTable(sheet: Sheet, { columns, rows, totals }: Table): void {
  const bottom = sheet.page.height - margin - rowHeight;
  const heads = columns.map(({ head }) => head);
  const begin = () => writeRow(sheet, columns, heads, { font: "bold", fill: ink.head });
  begin();
  for (const row of totals ? [...rows, totals] : rows) {
    if (sheet.y + rowHeight > bottom) {
      sheet.addPage();
      begin();
    }
    writeRow(sheet, columns, row, { font: row === totals ? "bold" : "regular" });
  }
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
  if (sheet.y + 40 > sheet.page.height - margin) sheet.addPage();
  line(sheet, note, { x: margin, y: sheet.y + 14, width: widthOf(sheet), size: 9, color: ink.muted });
}

function numberPages(sheet: Sheet, issuer: string): void {
  const { start, count } = sheet.bufferedPageRange();
  for (let page = start; page < start + count; page += 1) {
    sheet.switchToPage(page);
    // Below the margin a text would begin a page of its own.
    sheet.page.margins.bottom = 0;
    const box = { x: margin, y: sheet.page.height - 32, width: widthOf(sheet), size: 8, color: ink.muted };
    line(sheet, `${issuer} · Page ${page - start + 1} of ${count}`, { ...box, right: true });
  }
}

/** Of one width, so that amounts stand below each other, and the point after a 7 does not slip under it. */
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
  // Words without a feature are laid out once for the whole document.
  const options = { lineBreak: false, ...(/\d/.test(text) && { features: figures }) };
  const fitting = fitText(inOurLetters(plainLine(text)), (part) => sheet.widthOfString(part, options) <= width);
  sheet.text(fitting, right ? x + width - sheet.widthOfString(fitting, options) : x, y, options);
}

function widthOf(sheet: Sheet): number {
  return sheet.page.width - 2 * margin;
}

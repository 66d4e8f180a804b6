import type { PdfDocument } from "./paper-document.ts";

/** In points, like all measures here; pages are US letter size. */
export const margin = 48;
export const rowHeight = 20;
export const factHeight = 16;
export const firstFactY = margin + 80;
const [shortSide, longSide] = [612, 792];
const noteHeight = 40;

type Rows = PdfDocument["table"]["rows"];

/** `rows`: those below the table's header, with the totals last; a page without rows has only the note. */
type Page = { rows?: Rows; hasNote: boolean };

/** Returns where the table starts on the first page, below the facts. Pure. */
export function firstTableY(facts: number): number {
  return firstFactY + facts * factHeight + factHeight;
}

/** Divides a document into pages. All rows have the same height, so nothing is drawn for this. Pure. */
export function layoutPages({ facts, table, note, isLandscape }: PdfDocument): Page[] {
  const pageHeight = isLandscape ? shortSide : longSide;
  const rows = table.totals ? [...table.rows, table.totals] : table.rows;
  const pages: Page[] = [];
  let y = firstTableY(facts.length);
  let from = 0;
  do {
    // The line of the page number has the height of a row.
    const free = Math.floor((pageHeight - margin - rowHeight - y) / rowHeight) - 1;
    const fitting = rows.slice(from, from + Math.max(1, free));
    pages.push({ rows: fitting, hasNote: false });
    from += fitting.length;
    y += rowHeight * (1 + fitting.length);
    if (from < rows.length) y = margin;
  } while (from < rows.length);
  if (!note) return pages;
  if (y + noteHeight > pageHeight - margin) return [...pages, { hasNote: true }];
  return pages.map((page, at) => (at === pages.length - 1 ? { ...page, hasNote: true } : page));
}

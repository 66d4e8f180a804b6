/**
 * Returns the text of a cell that is written as a formula of a text alone, `="00742"`: programs write so into CSV files
 * what spreadsheets would take for a number. Other cells are returned unchanged.
 */
export function unwrapFormulaText(cell: string): string {
  if (!cell.startsWith('="') || !cell.endsWith('"') || cell.length < 3) return cell;
  const text = cell.slice(2, -1);
  return /^(?:[^"]|"")*$/.test(text) ? text.replaceAll('""', '"') : cell;
}

/**
 * Apostrophes before cells of our own template and of WooCommerce's export. An export puts one before text that a
 * spreadsheet would run as a formula, and spreadsheets put one before numbers that are text; an import drops it. Pure.
 */
const formulaSigns = "[=+\\-@\\uFF1D\\uFF0B\\uFF0D\\uFF20\\uFE62\\uFE63\\uFE66\\uFE6B]";
const number = "[+-]?[\\d.,]+$";
const prefixedNumber = new RegExp(`^'${number}`);
const prefixed = new RegExp(`^'+(?:\\s*${formulaSigns}|${number})`);

/** Prefixes text whose own apostrophe an import of the template would drop. */
export function keepApostrophe(text: string): string {
  return prefixed.test(text) ? `'${text}` : text;
}

/** Returns a cell of such a file without the apostrophe that an export, or a spreadsheet, put before it. */
export function dropApostrophe(cell: string): string {
  return prefixed.test(cell) ? cell.slice(1) : cell;
}

/** The same for a cell of any other file, in which only numbers have such an apostrophe. */
export function dropApostropheOfNumber(cell: string): string {
  return prefixedNumber.test(cell) ? cell.slice(1) : cell;
}

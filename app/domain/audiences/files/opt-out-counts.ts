import { maskValue } from "../members/parse-identifier.ts";

/** How many rows and identifiers one column kept out of an audience. */
export type OptOutCount = {
  column: string;
  /** Rows of which nothing was imported. */
  rows: number;
  /** Rows that were imported without the identifier that the column is about. */
  identifiers: number;
  /** How many of both have an empty cell in a column of agreements. */
  blank: number;
  /** How many of both have a value that is not understood. */
  unclear: number;
  /** Examples of values that are not understood, masked. */
  values: string[];
};
type Addition = Partial<Omit<OptOutCount, "column" | "values">> & { value?: string | undefined };

const maxColumns = 200;
const maxValues = 3;

/**
 * Adds to the counts of a column. They are in the order of the columns' names, because the kernel and the plain reader
 * find them in different orders. Columns beyond the first 200 share one entry.
 */
export function addOptOuts(counts: OptOutCount[], column: string, { value, ...added }: Addition): void {
  const count = counts.find((one) => one.column === column) ?? addColumn(counts, column);
  count.rows += added.rows ?? 0;
  count.identifiers += added.identifiers ?? 0;
  count.blank += added.blank ?? 0;
  count.unclear += added.unclear ?? 0;
  if (value === undefined || count.values.length >= maxValues) return;
  const masked = maskValue(value);
  if (!count.values.includes(masked)) count.values.push(masked);
}

function addColumn(counts: OptOutCount[], column: string): OptOutCount {
  const name = counts.length < maxColumns ? column : "Other columns";
  const known = counts.find((one) => one.column === name);
  if (known) return known;
  const added = { column: name, rows: 0, identifiers: 0, blank: 0, unclear: 0, values: [] };
  counts.push(added);
  counts.sort((one, other) => (one.column < other.column ? -1 : 1));
  return added;
}

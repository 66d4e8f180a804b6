/** The rows of one insert: each value is a parameter, of which PostgreSQL takes at most 65,535 in a statement. */
export const rowsPerInsert = 1_000;

/** Yields the items of a list in order, in slices of at most `size`. */
export function* slicesOf<Item>(items: readonly Item[], size: number): Generator<Item[]> {
  for (let from = 0; from < items.length; from += size) yield items.slice(from, from + size);
}

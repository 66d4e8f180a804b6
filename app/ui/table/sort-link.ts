import type { Column } from "./column.ts";

/** A list's current order, and the URL of the list in another one. A list that is not sorted has `newest`. */
export type ListSort<Sort extends string> = { sort: Sort | "newest"; href: (sort: Sort | "newest") => string };

/**
 * Returns the link of a column's head: the first click sorts descending, the next one ascending if the list has that
 * order, and the one after it returns to the newest first.
 */
export function sortLink<Sort extends string>(
  { sort, href }: ListSort<Sort>,
  { descending, ascending }: { descending?: NoInfer<Sort> | "newest"; ascending?: NoInfer<Sort> },
): Column<unknown>["sort"] {
  const cycle = [descending, ascending].filter((order) => order !== undefined);
  const next = cycle[cycle.indexOf(sort) + 1] ?? "newest";
  return {
    to: href(next),
    current: sort === descending ? "descending" : sort === ascending ? "ascending" : undefined,
  };
}

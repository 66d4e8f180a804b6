import { type AnyColumn, asc, desc, type SQL, sql } from "drizzle-orm";
import { z } from "zod";
import { sqlValue } from "#db/query-rows.server.ts";
import { clampPageLimit, decodeCursor, invalidCursor, type Page, type PageRequest, toPage } from "./page.ts";

/** What a list is sorted by: a text, or a whole number with at most 18 digits. Neither is ever null. */
export type SortOrder = { by: SQL; type: "text" | "bigint"; descending: boolean };

/** The order of a list by its ids, which sort by time. */
export type TimeOrder = "newest" | "oldest";

/**
 * Returns the parts of a query for a list sorted by `order`, then by id; by id alone in an order of time, which is newest
 * first without an order. Keyset pages cost the same at any position. Throws `invalid_input` for an invalid cursor.
 */
export function sortedPage(
  input: PageRequest,
  { order: requested, id }: { order: SortOrder | TimeOrder | undefined; id: AnyColumn },
) {
  const order = typeof requested === "object" ? requested : undefined;
  const limit = clampPageLimit(input);
  const position = input.cursor ? decodeCursor(input.cursor) : undefined;
  if (position && order?.type === "bigint" && !isBigint(position.value)) throw invalidCursor();
  const down = (order?.descending ?? requested !== "oldest") === (position?.direction !== "before");
  const compare = sql.raw(down ? "<" : ">");
  const direction = down ? desc : asc;
  return {
    where:
      position &&
      (order
        ? sql`(${order.by}, ${id}) ${compare} (${position.value ?? ""}::${sql.raw(order.type)}, ${position.id}::uuid)`
        : sql`${id} ${compare} ${position.id}::uuid`),
    orderBy: [...(order ? [direction(order.by)] : []), direction(id)],
    limit: limit + 1,
    sortValue: order ? sqlValue(z.string().nullable(), sql`(${order.by})::text`) : sqlValue(z.null(), sql`null`),
    page: <Row extends { id: string; sortValue: string | null }>(rows: readonly Row[]): Page<Row> =>
      toPage(rows, { limit, position, cursorKey: (row) => ({ value: row.sortValue, id: row.id }) }),
  };
}

/** Whether a cursor's value is a number that PostgreSQL can read. */
export function isBigint(value: string | null): boolean {
  return value !== null && /^-?\d{1,18}$/.test(value);
}

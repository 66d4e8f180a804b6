import { type AnyColumn, asc, desc, getTableName, sql } from "drizzle-orm";
import { clampPageLimit, decodeCursor, type Page, type PageRequest, toPage } from "./page.ts";

/**
 * Returns the parts of a query for a list sorted by id, newest first (ids sort by time): the condition of the cursor,
 * the order, the limit, and the page of the resulting rows. Throws `invalid_input` for an invalid cursor.
 */
export function keysetPage(input: PageRequest, id: AnyColumn) {
  const limit = clampPageLimit(input);
  const list = getTableName(id.table);
  const position = input.cursor ? decodeCursor(input.cursor, list) : undefined;
  const down = position?.direction !== "before";
  return {
    where: position && sql`${id} ${sql.raw(down ? "<" : ">")} ${position.id}::uuid`,
    order: down ? desc(id) : asc(id),
    limit: limit + 1,
    page: <Row extends { id: string }>(rows: readonly Row[]): Page<Row> =>
      toPage(rows, { list, limit, position, cursorKey: (row) => ({ value: null, id: row.id }) }),
  };
}

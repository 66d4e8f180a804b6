import { type AnyColumn, asc, desc, sql } from "drizzle-orm";
import { limitOf, type Page, type PageRequest, pageOf, readCursor } from "./page.ts";

/**
 * The parts of a list by id, newest first (ids sort by time): what of it stands beyond the cursor, in which order and how many to
 * read, and the page that those rows make. Throws `invalid_input` for a cursor that is none of ours.
 */
export function newestFirst(input: PageRequest, id: AnyColumn) {
  const limit = limitOf(input);
  const position = input.cursor ? readCursor(input.cursor) : undefined;
  const down = position?.direction !== "before";
  return {
    beyond: position && sql`${id} ${sql.raw(down ? "<" : ">")} ${position.id}::uuid`,
    order: down ? desc(id) : asc(id),
    most: limit + 1,
    page: <Row extends { id: string }>(rows: readonly Row[]): Page<Row> =>
      pageOf(rows, { limit, position, place: (row) => ({ value: null, id: row.id }) }),
  };
}

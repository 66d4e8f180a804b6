import { type AnyColumn, asc, desc, getTableName, type Placeholder, type SQL, sql } from "drizzle-orm";
import { z } from "zod";
import type { Database } from "#db/client.server.ts";
import { sqlValue } from "#db/query-rows.server.ts";
import {
  type CursorPosition,
  clampPageLimit,
  decodeCursor,
  invalidCursor,
  type Page,
  type PageRequest,
  toPage,
} from "./page.ts";
import { type BuiltQuery, preparedQuery } from "./prepared-query.server.ts";

/** What a list is sorted by: a text, or a whole number of eight bytes. Neither is ever null. */
export type SortOrder = { by: SQL; type: "text" | "bigint"; descending: boolean };

/** The order of a list by its ids, which sort by time. */
export type TimeOrder = "newest" | "oldest";

/**
 * Returns the parts of a query for a list sorted by `order`, then by id; by id alone in an order of time, which is
 * newest first without an order. Keyset pages cost the same at any position. Throws `invalid_input` for an invalid
 * cursor.
 */
export function sortedPage(input: PageRequest, { order: requested, id }: { order: RequestedOrder; id: AnyColumn }) {
  const limit = clampPageLimit(input);
  const list = getTableName(id.table);
  const position = positionOf(input, { requested, list });
  return {
    ...partsOf(position && { ...position, value: position.value ?? "" }, { requested, id }),
    limit: limit + 1,
    page: <Row extends { id: string; sortValue: string | null }>(rows: readonly Row[]): Page<Row> =>
      toPage(rows, { list, limit, position, cursorKey: (row) => ({ value: row.sortValue, id: row.id }) }),
  };
}

/** What changes the text of a list's statement, beside the direction of a page. */
type ListShape = Record<string, string | boolean | undefined>;

/**
 * Returns what reads pages of a sorted list by statements that are built once: for each shape and direction, because
 * drizzle takes as long to build a statement as PostgreSQL to run it. `build` gets the parts that `sortedPage` returns,
 * and `values` are those of its placeholders. Throws `invalid_input` for an invalid cursor.
 */
export function preparedPages<Shape extends ListShape, Row extends { sortValue: string | null }>({
  orderOf,
  id,
  build,
  idOf,
}: {
  orderOf: (shape: Shape) => SortOrder | undefined;
  id: AnyColumn;
  build: (db: Database, shape: Shape, parts: PageParts & { limit: Placeholder }) => BuiltQuery<Row>;
  idOf: (row: Row) => string;
}) {
  const statements = new Map<string, ReturnType<typeof preparedQuery<Row>>>();
  const list = getTableName(id.table);
  const placed = { value: sql.placeholder("positionValue"), id: sql.placeholder("positionId") };
  function prepare(shape: Shape, direction: CursorPosition["direction"] | undefined) {
    const parts = partsOf(direction && { direction, ...placed }, { requested: orderOf(shape), id });
    return preparedQuery((db) => build(db, shape, { ...parts, limit: sql.placeholder("limit") }));
  }
  return async (
    db: Database,
    { shape, values, ...input }: PageRequest & { shape: Shape; values: Record<string, unknown> },
  ): Promise<Page<Row>> => {
    const limit = clampPageLimit(input);
    const position = positionOf(input, { requested: orderOf(shape), list });
    const key = JSON.stringify([shape, position?.direction]);
    const statement = statements.get(key) ?? prepare(shape, position?.direction);
    statements.set(key, statement);
    const rows = await statement(db).execute({
      ...values,
      positionId: position?.id,
      positionValue: position?.value ?? "",
      limit: limit + 1,
    });
    return toPage(rows, { list, limit, position, cursorKey: (row) => ({ value: row.sortValue, id: idOf(row) }) });
  };
}

type RequestedOrder = SortOrder | TimeOrder | undefined;
type PageParts = ReturnType<typeof partsOf>;

function positionOf(
  { cursor }: PageRequest,
  { requested, list }: { requested: RequestedOrder; list: string },
): CursorPosition | undefined {
  const position = cursor ? decodeCursor(cursor, list) : undefined;
  const isNumber = typeof requested === "object" && requested.type === "bigint";
  if (position && isNumber && !isBigint(position.value)) throw invalidCursor();
  return position;
}

/**
 * Returns the parts of a statement for the page at a position, whose value and id are values or placeholders of them.
 */
function partsOf(
  position: { direction: CursorPosition["direction"]; value: unknown; id: unknown } | undefined,
  { requested, id }: { requested: RequestedOrder; id: AnyColumn },
) {
  const order = typeof requested === "object" ? requested : undefined;
  const down = (order?.descending ?? requested !== "oldest") === (position?.direction !== "before");
  const compare = sql.raw(down ? "<" : ">");
  const direction = down ? desc : asc;
  return {
    where:
      position &&
      (order
        ? sql`(${order.by}, ${id}) ${compare} (${position.value}::${sql.raw(order.type)}, ${position.id}::uuid)`
        : sql`${id} ${compare} ${position.id}::uuid`),
    orderBy: [...(order ? [direction(order.by)] : []), direction(id)],
    sortValue: order ? sqlValue(z.string().nullable(), sql`(${order.by})::text`) : sqlValue(z.null(), sql`null`),
  };
}

/** Whether a cursor's value is a number that PostgreSQL can read. */
function isBigint(value: string | null): boolean {
  if (value === null || !/^-?\d{1,19}$/.test(value)) return false;
  return BigInt.asIntN(64, BigInt(value)) === BigInt(value);
}

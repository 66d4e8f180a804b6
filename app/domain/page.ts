import { z } from "zod";
import { DomainError } from "./errors.ts";
import { nilId } from "./ids.ts";

/** Every list is limited: 100 rows by default, at most 500. */
export const pageLimits = { default: 100, max: 500 } as const;

/** A page request. `cursor` is opaque: an earlier page's `nextCursor` or `previousCursor`; an empty one is none. */
export type PageRequest = { limit?: number; cursor?: string };

/** A page of a list. A cursor is null when there are no more rows in its direction. */
export type Page<Row> = { rows: Row[]; nextCursor: string | null; previousCursor: string | null };

/** The start of a page: after (or before) the row with this sort value and id. */
export type CursorPosition = { direction: "after" | "before"; value: string | null; id: string };

/** The list in the cursor of a short one, whose keys say which it is. */
const shortList = "short";

/** PostgreSQL does not accept NUL characters in text. */
const positionSchema = z.tuple([
  z.enum(["after", "before"]),
  z
    .string()
    .max(2_000)
    .refine((text) => !text.includes("\0"))
    .nullable(),
  z.uuid(),
  // Cursors of earlier versions do not name their list.
  z.string().max(60).optional(),
]);

/**
 * Decodes a cursor of a list, which is named by its table. Throws `invalid_input` for an invalid one, and for one of
 * another list.
 */
export function decodeCursor(cursor: string, list: string): CursorPosition {
  const position = parseCursor(cursor);
  if (!position || (position.list ?? list) !== list) throw invalidCursor();
  return { direction: position.direction, value: position.value, id: position.id };
}

/** Returns whether a text is a cursor of some list. */
export function isCursor(text: string): boolean {
  return parseCursor(text) !== undefined;
}

function parseCursor(cursor: string): (CursorPosition & { list: string | undefined }) | undefined {
  try {
    const [direction, value, id, list] = positionSchema.parse(readParts(cursor));
    return { direction, value, id, list };
  } catch {
    return undefined;
  }
}

function readParts(cursor: string): unknown {
  const [direction, id, list, value] = cursor.split(".", 4);
  // Cursors of earlier versions are JSON.
  if (list === undefined) return JSON.parse(Buffer.from(cursor, "base64url").toString("utf8"));
  return [direction, value === undefined ? null : Buffer.from(value, "base64url").toString("utf8"), id, list];
}

/** The error for an invalid cursor. */
export function invalidCursor(): DomainError {
  return new DomainError("invalid_input", "This page link is no longer valid. Start again from the first page.", {
    fields: { cursor: ["This page link is no longer valid. Start again from the first page."] },
  });
}

/** Writes the id as it is: the page has it already, so the cursor hardly adds to its compressed size. */
function writeCursor(list: string, { direction, value, id }: CursorPosition): string {
  const start = `${direction}.${id}.${list}`;
  return value === null ? start : `${start}.${Buffer.from(value).toString("base64url")}`;
}

/**
 * Builds the page from `limit + 1` rows read from the cursor on: in the list's order, or in reverse when reading before
 * the cursor. `cursorKey` returns a row's sort value and id.
 */
export function toPage<Row>(
  rows: readonly Row[],
  pageRequest: {
    list: string;
    limit: number;
    position: CursorPosition | undefined;
    cursorKey: (row: Row) => { value: string | null; id: string };
  },
): Page<Row> {
  const { list } = pageRequest;
  const more = rows.length > pageRequest.limit;
  const pageRows = rows.slice(0, pageRequest.limit);
  const backwards = pageRequest.position?.direction === "before";
  if (backwards) pageRows.reverse();
  const first = pageRows.at(0);
  const last = pageRows.at(-1);
  const hasPrevious = backwards ? more : pageRequest.position !== undefined;
  const hasNext = backwards ? true : more;
  return {
    rows: pageRows,
    nextCursor: last && hasNext ? writeCursor(list, { direction: "after", ...pageRequest.cursorKey(last) }) : null,
    previousCursor:
      first && hasPrevious ? writeCursor(list, { direction: "before", ...pageRequest.cursorKey(first) }) : null,
  };
}

/**
 * Returns a page of a list that is short enough to be read completely. `keyOf` identifies a row; the cursor contains
 * the key of the row before the page. Throws `invalid_input` when no row has this key.
 */
export function pageOfFew<Row>(
  rows: readonly Row[],
  pageRequest: PageRequest,
  keyOf: (row: Row) => string,
): { rows: Row[]; nextCursor: string | null } {
  const limit = clampPageLimit(pageRequest);
  const after = pageRequest.cursor ? decodeCursor(pageRequest.cursor, shortList) : undefined;
  const from = after ? rows.findIndex((row) => keyOf(row) === after.value) + 1 : 0;
  if (after && (from === 0 || after.direction !== "after")) throw invalidCursor();
  const pageRows = rows.slice(from, from + limit);
  const last = pageRows.at(-1);
  const more = last !== undefined && from + limit < rows.length;
  return {
    rows: pageRows,
    // The rows have no ids.
    nextCursor: more ? writeCursor(shortList, { direction: "after", value: keyOf(last), id: nilId }) : null,
  };
}

/** Returns the requested limit within its bounds. */
export function clampPageLimit(pageRequest: PageRequest): number {
  return Math.min(Math.max(Math.trunc(pageRequest.limit ?? pageLimits.default), 1), pageLimits.max);
}

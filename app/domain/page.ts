import { z } from "zod";
import { DomainError } from "./errors.ts";

/** Every list is bounded: 100 rows unless asked otherwise, never above 500. */
export const pageLimits = { default: 100, max: 500 } as const;

/** A page asked for. `cursor` is opaque, from an earlier page's `nextCursor` or `previousCursor`. */
export type PageRequest = { limit?: number; cursor?: string };

/** A page of a list. A cursor is null where there is nothing further that way. */
export type Page<Row> = { rows: Row[]; nextCursor: string | null; previousCursor: string | null };

/** Where a page begins: after (or before) the row with this sort value and id. */
export type Position = { direction: "after" | "before"; value: string | null; id: string };

/** Stands in a cursor whose rows have no id. */
const noId = "00000000-0000-0000-0000-000000000000";

/** PostgreSQL cannot carry a NUL in a text. */
const positionSchema = z.tuple([
  z.enum(["after", "before"]),
  z
    .string()
    .max(2_000)
    .refine((text) => !text.includes("\0"))
    .nullable(),
  z.uuid(),
]);

/** The place a cursor stands for. Throws `invalid_input` for a text that is no cursor of ours. */
export function readCursor(cursor: string): Position {
  try {
    const [direction, value, id] = positionSchema.parse(JSON.parse(Buffer.from(cursor, "base64url").toString("utf8")));
    return { direction, value, id };
  } catch {
    throw unknownPage();
  }
}

/** For a cursor that is none of ours. */
export function unknownPage(): DomainError {
  return new DomainError("invalid_input", "Unknown page", { fields: { cursor: ["Unknown page"] } });
}

function writeCursor(position: Position): string {
  return Buffer.from(JSON.stringify([position.direction, position.value, position.id])).toString("base64url");
}

/**
 * Makes the page from `limit + 1` rows read from the position: in the list's order, or in reverse when reading before
 * it. `place` gives a row's sort value and id.
 */
export function pageOf<Row>(
  rows: readonly Row[],
  asked: { limit: number; position: Position | undefined; place: (row: Row) => { value: string | null; id: string } },
): Page<Row> {
  const more = rows.length > asked.limit;
  const kept = rows.slice(0, asked.limit);
  const backwards = asked.position?.direction === "before";
  if (backwards) kept.reverse();
  const first = kept.at(0);
  const last = kept.at(-1);
  const hasPrevious = backwards ? more : asked.position !== undefined;
  const hasNext = backwards ? true : more;
  return {
    rows: kept,
    nextCursor: last && hasNext ? writeCursor({ direction: "after", ...asked.place(last) }) : null,
    previousCursor: first && hasPrevious ? writeCursor({ direction: "before", ...asked.place(first) }) : null,
  };
}

/**
 * A page of a list that is short enough to be read whole. `keyOf` names a row; the cursor says behind which row the page begins.
 * Throws `invalid_input` for a cursor that names none of them.
 */
export function pageOfFew<Row>(
  rows: readonly Row[],
  asked: PageRequest,
  keyOf: (row: Row) => string,
): { rows: Row[]; nextCursor: string | null } {
  const limit = limitOf(asked);
  const after = asked.cursor === undefined ? undefined : readCursor(asked.cursor);
  const from = after ? rows.findIndex((row) => keyOf(row) === after.value) + 1 : 0;
  if (after && (from === 0 || after.direction !== "after")) throw unknownPage();
  const kept = rows.slice(from, from + limit);
  const last = kept.at(-1);
  const more = last !== undefined && from + limit < rows.length;
  return { rows: kept, nextCursor: more ? writeCursor({ direction: "after", value: keyOf(last), id: noId }) : null };
}

/** The asked limit inside the bounds. */
export function limitOf(asked: PageRequest): number {
  return Math.min(Math.max(Math.trunc(asked.limit ?? pageLimits.default), 1), pageLimits.max);
}

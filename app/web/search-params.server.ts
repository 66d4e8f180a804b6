import { z } from "zod";
import { parseCalendarMonth } from "#app/domain/calendar-month.ts";
import { DomainError } from "#app/domain/errors.ts";
import { isCursor, type PageRequest } from "#app/domain/page.ts";
import { removeInvisible } from "#app/domain/visible-text.ts";

/**
 * Parses a URL's query. Each field has a `.catch(…)`, so that no URL is an error. The checkboxes of `columns` are one
 * value, with commas.
 */
export function parseSearchParams<S extends z.ZodType>(request: Request, schema: S): z.output<S> {
  const { searchParams } = new URL(request.url);
  const columns = searchParams.has("columns") ? searchParams.getAll("columns").filter(Boolean).join(",") : undefined;
  return schema.parse({ ...Object.fromEntries(searchParams), columns });
}

/** The parameters of every list: the chosen columns, and the saved view that the list began with. */
export const listStateParams = {
  columns: z
    .string()
    .max(300)
    .regex(/^[a-z_,]*$/)
    .optional()
    .catch(undefined),
  saved: z.uuid().optional().catch(undefined),
};

/** The current page; an invalid cursor means the first page. */
export const cursorParam = z.string().refine(isCursor).optional().catch(undefined);

/**
 * Loads the requested page, or the first one: for a cursor of another list or another sort order, and if the rows of
 * the page are no longer in the list.
 */
export async function pageOrFirstPage<Asked extends PageRequest, Found extends { rows: readonly unknown[] }>(
  list: (listRequest: Asked) => Promise<Found>,
  listRequest: Asked,
): Promise<Found> {
  const firstPage = () => list({ ...listRequest, cursor: undefined });
  try {
    const found = await list(listRequest);
    return listRequest.cursor && found.rows.length === 0 ? await firstPage() : found;
  } catch (error) {
    if (!listRequest.cursor || !(error instanceof DomainError) || error.code !== "invalid_input") throw error;
    return firstPage();
  }
}

/** Parses `YYYY-MM`; an invalid month is undefined. */
export const monthParam = z
  .string()
  .transform((text) => parseCalendarMonth(text))
  .optional()
  .catch(undefined);

const maxSearchLength = 200;

/**
 * A search text, undefined if it is blank. It is read as names are, without invisible characters. Of a longer text its
 * start is searched, which finds nothing that does not begin like it: the whole list would look like the result.
 */
export const searchTextParam = z
  .string()
  .transform((text) => {
    const clean = removeInvisible(text.replaceAll("\0", "")).trim();
    return [...clean].slice(0, maxSearchLength).join("") || undefined;
  })
  .optional()
  .catch(undefined);

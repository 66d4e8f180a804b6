import { z } from "zod";
import { parseCalendarMonth } from "#app/domain/calendar-month.ts";
import { DomainError } from "#app/domain/errors.ts";
import { type PageRequest, readCursor } from "#app/domain/page.ts";

/** Decodes an address's query. Each field has its `.catch(…)`, so that no address fails. */
export function readSearch<S extends z.ZodType>(request: Request, schema: S): z.output<S> {
  return schema.parse(Object.fromEntries(new URL(request.url).searchParams));
}

/** The page one is on; a text that is no cursor of ours is the first page. */
export const cursorParam = z.string().refine(isCursor).optional().catch(undefined);

/** The page that is asked for; a cursor of another list, or of another order of this one, is as good as none. */
export async function pageOrFirst<Asked extends PageRequest, Found>(
  list: (asked: Asked) => Promise<Found>,
  asked: Asked,
): Promise<Found> {
  try {
    return await list(asked);
  } catch (error) {
    if (!asked.cursor || !(error instanceof DomainError) || error.code !== "invalid_input") throw error;
    return list({ ...asked, cursor: undefined });
  }
}

/** `YYYY-MM`; what is no month is none. */
export const monthParam = z
  .string()
  .transform((text) => parseCalendarMonth(text))
  .optional()
  .catch(undefined);

/** What is searched for; too long or blank is nothing. */
export const queryParam = z
  .string()
  .trim()
  .max(200)
  .transform((text) => text.replaceAll("\0", "") || undefined)
  .optional()
  .catch(undefined);

function isCursor(text: string): boolean {
  try {
    readCursor(text);
    return true;
  } catch {
    return false;
  }
}

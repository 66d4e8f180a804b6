import { z } from "zod";
import { readCursor } from "#app/domain/page.ts";

/** Decodes an address's query. Each field has its `.catch(…)`, so that no address fails. */
export function readSearch<S extends z.ZodType>(request: Request, schema: S): z.output<S> {
  return schema.parse(Object.fromEntries(new URL(request.url).searchParams));
}

/** The page one is on; a text that is no cursor of ours is the first page. */
export const cursorParam = z.string().refine(isCursor).optional().catch(undefined);

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

import { notFound } from "#app/domain/errors.ts";
import { parseId } from "#app/domain/ids.ts";

/**
 * Parses the id in a path. A malformed id gets the same 404 as one that does not exist or belongs to another account.
 */
export function requireId<T extends NonNullable<ReturnType<typeof parseId>>>(
  what: string,
  text: string | undefined,
): T {
  const id = parseId<T>(text);
  if (!id) throw notFound(what);
  return id;
}

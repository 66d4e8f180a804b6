import { notFound } from "#app/domain/errors.ts";
import { parseId } from "#app/domain/ids.ts";

/** The id in a path. What can be none is answered like one that does not exist, or is somebody else's. */
export function requireId<T extends NonNullable<ReturnType<typeof parseId>>>(
  what: string,
  text: string | undefined,
): T {
  const id = parseId<T>(text);
  if (!id) throw notFound(what);
  return id;
}

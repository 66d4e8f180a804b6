import { DomainError } from "#app/domain/errors.ts";
import { parseId } from "#app/domain/ids.ts";

/** The 404 page's answer, for an id that is absent and for one that belongs to somebody else alike. */
export function notFoundPage(): Response {
  return new Response("Not Found", { status: 404, statusText: "Not Found" });
}

/** What a verb answers; its `not_found` becomes the 404 page. */
export async function orNotFoundPage<T>(answer: Promise<T>): Promise<T> {
  try {
    return await answer;
  } catch (error) {
    throw error instanceof DomainError && error.code === "not_found" ? notFoundPage() : error;
  }
}

/** The id in a page's address; one that cannot be an id has the 404 page. */
export function idInAddress<T extends NonNullable<ReturnType<typeof parseId>>>(value: string | undefined): T {
  const id = parseId<T>(value);
  if (!id) throw notFoundPage();
  return id;
}

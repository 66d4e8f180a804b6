import { DomainError } from "#app/domain/errors.ts";
import { parseId } from "#app/domain/ids.ts";

/** Returns the 404 page's response, the same for an absent id and for one of another account. */
export function notFoundResponse(): Response {
  return new Response("Not Found", { status: 404, statusText: "Not Found" });
}

/** Awaits a domain function's result; its `not_found` error becomes the 404 page. */
export async function orThrow404<T>(result: Promise<T>): Promise<T> {
  try {
    return await result;
  } catch (error) {
    throw error instanceof DomainError && error.code === "not_found" ? notFoundResponse() : error;
  }
}

/** Parses the id in a page's URL; a malformed id gets the 404 page. */
export function requireIdParam<T extends NonNullable<ReturnType<typeof parseId>>>(value: string | undefined): T {
  const id = parseId<T>(value);
  if (!id) throw notFoundResponse();
  return id;
}

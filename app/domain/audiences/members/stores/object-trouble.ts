import { DomainError } from "../../../errors.ts";

/** Runs work on objects; throws `unavailable`, with the reason for the log, when it fails. */
export async function orUnavailable<T>(work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    if (error instanceof DomainError || error instanceof ObjectDropped) throw error;
    throw peopleUnavailable(error);
  }
}

/** The `unavailable` of people whose objects can't be read or written; `cause` is for the log. */
export function peopleUnavailable(cause: unknown): DomainError {
  const message = "The people of this audience can't be read or changed right now. Try again later.";
  return new DomainError("unavailable", message, { retryAfterSeconds: 60, cause });
}

/** A generation names an object that the storage does not have. */
export class ObjectMissing extends Error {
  override name = "ObjectMissing";
}

/** The object was deleted from its generation while it was to be read. */
export class ObjectDropped extends Error {
  override name = "ObjectDropped";
}

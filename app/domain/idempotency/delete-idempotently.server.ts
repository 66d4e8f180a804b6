import type { ZodType } from "zod";
import type { Ctx, TenantActor } from "../context.ts";
import { DomainError } from "../errors.ts";
import type { UserId } from "../ids.ts";
import { findStoredResponse, withIdempotencyKey } from "./with-idempotency-key.server.ts";

/** What a form deletes. With `userId` it belongs to one person of the account. */
type Deletion = { id: string; userId?: UserId };

/**
 * Deletes something once, however often its form is submitted. A repetition gets what `remove` returned the first time,
 * parsed with `schema`, such as the name for a message, where it would get `not_found`. The key is the account's and is
 * stored with the deletion, so the ID of another account's object stays one that never existed. Throws what `remove`
 * throws.
 */
export async function deleteIdempotently<A extends TenantActor, T>(
  ctx: Ctx<A>,
  { schema, ...deletion }: Deletion & { schema: ZodType<T> },
  remove: (ctx: Ctx<A>) => Promise<T>,
): Promise<T> {
  const response = await withIdempotencyKey(ctx, requestOf(ctx, deletion), async (inside) => {
    return { status: 200, body: JSON.stringify(await remove(inside)) };
  });
  return schema.parse(JSON.parse(response.body));
}

/**
 * Awaits the object of a form; undefined when an earlier submission deleted it. Throws `not_found`, and what `found`
 * throws.
 */
export async function findUnlessDeleted<T>(
  ctx: Ctx<TenantActor>,
  deletion: Deletion,
  found: Promise<T>,
): Promise<T | undefined> {
  try {
    return await found;
  } catch (error) {
    if (!(error instanceof DomainError && error.code === "not_found")) throw error;
    if (await findStoredResponse(ctx, requestOf(ctx, deletion))) return undefined;
    throw error;
  }
}

function requestOf({ actor }: Ctx<TenantActor>, { id, userId }: Deletion) {
  const key = userId === undefined ? `deletion-${id}` : `deletion-${userId}-${id}`;
  return { caller: `form:${actor.accountId}`, key, requestFingerprint: "deletion" };
}

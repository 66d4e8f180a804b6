import { sql } from "drizzle-orm";
import { accountTurns } from "./account-turns.ts";
import type { Actor, Ctx, VisitorCtx } from "./context.ts";
import { DomainError } from "./errors.ts";
import type { AccountId } from "./ids.ts";

export type LimitedKind = "api_keys" | "product_imports" | "product_stores" | "reports" | "webhooks";

/** Serializes what an account creates of a kind, until the transaction ends, so that a limit of their number holds. */
export async function lockCreation(ctx: Ctx, kind: LimitedKind, accountId: AccountId): Promise<void> {
  await ctx.db.execute(sql`select pg_advisory_xact_lock(hashtext(${`${kind} ${accountId}`}))`);
}

/** How long a creation waits for others of its account, in milliseconds: as long as for a connection. */
const maxTurnWaitMs = 4_500;

/**
 * Runs what an account creates of a kind one at a time in this process, before it takes a connection. Creations that
 * wait for `lockCreation` hold theirs: ten of one account would leave none to others, and fail once the lock takes too
 * long. What has no kind is not limited, and runs at once. Throws `unavailable` where the wait was too long.
 */
export async function inCreationTurn<T>(
  { actor }: VisitorCtx & { actor?: Actor },
  kind: LimitedKind | undefined,
  create: () => Promise<T>,
): Promise<T> {
  if (!kind || !actor || !("accountId" in actor)) return create();
  const begun = performance.now();
  return accountTurns(`create ${kind}`, Number.POSITIVE_INFINITY).run(actor.accountId, () => {
    if (performance.now() - begun < maxTurnWaitMs) return create();
    const message = "Your account sends too many of these requests at once. Try again.";
    throw new DomainError("unavailable", message, { retryAfterSeconds: 1 });
  });
}

import { eq } from "drizzle-orm";
import { accounts } from "#db/schema/index.ts";
import type { Ctx } from "../context.ts";
import { DomainError } from "../errors.ts";
import type { AccountId } from "../ids.ts";

/** The stronger ones also keep other changes of the account waiting, such as those that count toward its limits. */
type Strength = "key share" | "no key update" | "update";

/**
 * Locks an account against being closed until the caller's transaction ends, so that nothing of it is created or starts
 * while it is closed, and its closing sees what has. The closing locks the account's audiences, then the account, then
 * the rest of its rows: lock in the same order. Throws `invalid_transition` for an account that is closed.
 */
export async function requireOpenAccount(ctx: Ctx, accountId: AccountId, strength?: Strength): Promise<void> {
  if (await lockOpenAccount(ctx, accountId, strength)) return;
  throw new DomainError("invalid_transition", "The account is closed. Nothing can be started for it any more.");
}

/** The same for background work. Returns false for an account that is closed. */
export async function lockOpenAccount(
  ctx: Ctx,
  accountId: AccountId,
  strength: Strength = "key share",
): Promise<boolean> {
  const [account] = await ctx.db
    .select({ closedAt: accounts.closedAt })
    .from(accounts)
    .where(eq(accounts.id, accountId))
    .for(strength);
  return !account?.closedAt;
}

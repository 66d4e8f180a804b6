import { eq } from "drizzle-orm";
import { accounts } from "#db/schema/index.ts";
import type { Ctx } from "../context.ts";
import { DomainError } from "../errors.ts";
import type { AccountId } from "../ids.ts";

/**
 * Locks an account against being closed until the caller's transaction ends, so that nothing of it starts while it is
 * closed, and its closing sees what has started. Throws `invalid_transition` for an account that is closed.
 */
export async function requireOpenAccount(ctx: Ctx, accountId: AccountId): Promise<void> {
  const [account] = await ctx.db
    .select({ closedAt: accounts.closedAt })
    .from(accounts)
    .where(eq(accounts.id, accountId))
    .for("key share");
  if (account?.closedAt)
    throw new DomainError("invalid_transition", "The account is closed. Nothing can be started for it any more.");
}

import { accounts } from "#db/schema/index.ts";
import type { Ctx } from "../context.ts";

/** Returns whether there is an account. A database without any is new, or about to be restored. */
export async function hasAccounts(ctx: Pick<Ctx, "db">): Promise<boolean> {
  const found = await ctx.db.select({ id: accounts.id }).from(accounts).limit(1);
  return found.length > 0;
}

import { and, eq } from "drizzle-orm";
import { users } from "#db/schema/index.ts";
import type { Ctx, TenantActor } from "../context.ts";
import { notFound } from "../errors.ts";
import type { UserId } from "../ids.ts";

/** The condition for the person, who must belong to the actor's account. */
function ownUser({ actor }: Ctx<TenantActor>, userId: UserId) {
  return and(eq(users.id, userId), eq(users.accountId, actor.accountId));
}

/** Returns whether the person hid the list of first steps. */
export async function areFirstStepsHidden(ctx: Ctx<TenantActor>, { userId }: { userId: UserId }): Promise<boolean> {
  const [row] = await ctx.db.select({ hidden: users.firstStepsHidden }).from(users).where(ownUser(ctx, userId));
  return row?.hidden ?? false;
}

/**
 * Hides the list of first steps for the person, or shows it again. Throws `not_found` for a user of another account.
 */
export async function setFirstStepsHidden(
  ctx: Ctx<TenantActor>,
  { userId, hidden }: { userId: UserId; hidden: boolean },
): Promise<void> {
  const changed = await ctx.db.update(users).set({ firstStepsHidden: hidden }).where(ownUser(ctx, userId));
  if (changed.count === 0) throw notFound("User");
}

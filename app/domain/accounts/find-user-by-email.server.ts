import { users } from "#db/schema/index.ts";
import type { Ctx, OperatorActor } from "../context.ts";
import type { AccountId, UserId } from "../ids.ts";
import { isSameAddress } from "./is-same-address.server.ts";

/** Finds the user with this email address, ignoring case; the account is null before the registration. */
export async function findUserByEmail(
  ctx: Ctx<OperatorActor>,
  { email }: { email: string },
): Promise<{ userId: UserId; accountId: AccountId | null } | undefined> {
  const [user] = await ctx.db
    .select({ userId: users.id, accountId: users.accountId })
    .from(users)
    .where(isSameAddress(users.email, email.trim()));
  return user;
}

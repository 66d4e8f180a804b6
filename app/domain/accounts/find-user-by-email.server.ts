import { eq } from "drizzle-orm";
import { accounts, users } from "#db/schema/index.ts";
import type { Ctx, OperatorActor } from "../context.ts";
import type { AccountId, UserId } from "../ids.ts";
import type { AccountType } from "./account.ts";
import { isSameAddress } from "./is-same-address.server.ts";

/** Finds the user with this email address, ignoring case; account and type are null before the registration. */
export async function findUserByEmail(
  ctx: Ctx<OperatorActor>,
  { email }: { email: string },
): Promise<{ userId: UserId; accountId: AccountId | null; accountType: AccountType | null } | undefined> {
  const [user] = await ctx.db
    .select({ userId: users.id, accountId: users.accountId, accountType: accounts.type })
    .from(users)
    .leftJoin(accounts, eq(accounts.id, users.accountId))
    .where(isSameAddress(users.email, email.trim()));
  return user;
}

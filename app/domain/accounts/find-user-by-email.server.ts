import { eq, sql } from "drizzle-orm";
import { users } from "#db/schema/index.ts";
import type { Ctx, OperatorActor } from "../context.ts";
import type { AccountId, UserId } from "../ids.ts";

/** Finds the user with this email address, ignoring case; the account is null before the registration. */
export async function findUserByEmail(
  ctx: Ctx<OperatorActor>,
  { email }: { email: string },
): Promise<{ userId: UserId; accountId: AccountId | null } | undefined> {
  const [user] = await ctx.db
    .select({ userId: users.id, accountId: users.accountId })
    .from(users)
    .where(eq(sql`lower(${users.email})`, email.trim().toLowerCase()));
  return user;
}

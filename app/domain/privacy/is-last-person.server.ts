import { and, eq, isNull, ne } from "drizzle-orm";
import type { Ctx } from "#app/domain/context.ts";
import type { AccountId, UserId } from "#app/domain/ids.ts";
import { users } from "#db/schema/index.ts";

/** Returns whether nobody else belongs to the person's account, so that it is closed with the person's erasure. */
export async function isLastPerson(
  ctx: Pick<Ctx, "db">,
  { accountId, userId }: { accountId: AccountId; userId: UserId },
): Promise<boolean> {
  const others = and(eq(users.accountId, accountId), ne(users.id, userId), isNull(users.erasedAt));
  return (await ctx.db.$count(users, others)) === 0;
}

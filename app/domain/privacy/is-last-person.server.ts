import { and, eq, isNull, ne, notExists, sql } from "drizzle-orm";
import type { Ctx } from "#app/domain/context.ts";
import type { AccountId, UserId } from "#app/domain/ids.ts";
import { erasures, users } from "#db/schema/index.ts";
import { isOpenErasure } from "./find-erasure.server.ts";

/**
 * Returns whether nobody else belongs to the person's account, so that it is closed with the person's erasure. Among
 * the `staying` are none with an open request of their own.
 */
export async function isLastPerson(
  ctx: Pick<Ctx, "db">,
  { accountId, userId, among }: { accountId: AccountId; userId: UserId; among: "everybody" | "staying" },
): Promise<boolean> {
  const request = ctx.db
    .select({ one: sql`1` })
    .from(erasures)
    .where(and(eq(erasures.userId, users.id), isOpenErasure));
  const others = and(
    eq(users.accountId, accountId),
    ne(users.id, userId),
    isNull(users.erasedAt),
    among === "staying" ? notExists(request) : undefined,
  );
  return (await ctx.db.$count(users, others)) === 0;
}

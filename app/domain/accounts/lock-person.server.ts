import { and, eq, isNull } from "drizzle-orm";
import { users } from "#db/schema/index.ts";
import type { VisitorCtx } from "../context.ts";
import type { UserId } from "../ids.ts";

/**
 * Locks a person against being erased until the caller's transaction ends, so that nothing is written about them
 * afterwards, and the erasure sees what was. Lock the account first. Returns false for a person who is erased.
 */
export async function lockPerson(ctx: Pick<VisitorCtx, "db">, userId: UserId): Promise<boolean> {
  const rows = await ctx.db
    .select({ id: users.id })
    .from(users)
    .where(and(eq(users.id, userId), isNull(users.erasedAt)))
    .for("key share");
  return rows.length > 0;
}

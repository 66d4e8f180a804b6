import { eq } from "drizzle-orm";
import type { VisitorCtx } from "#app/domain/context.ts";
import type { UserId } from "#app/domain/ids.ts";
import { sessions } from "#db/schema/index.ts";

/** Signs a user out of all browsers. Returns the number of ended sessions. */
export async function endAllSessions(ctx: VisitorCtx, { userId }: { userId: UserId }): Promise<number> {
  const ended = await ctx.db.delete(sessions).where(eq(sessions.userId, userId)).returning({ userId: sessions.userId });
  return ended.length;
}

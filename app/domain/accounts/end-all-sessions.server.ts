import { eq } from "drizzle-orm";
import { sessions } from "#db/schema/index.ts";
import type { VisitorCtx } from "../context.ts";
import type { UserId } from "../ids.ts";

/** Signs a person out everywhere; answers how many sessions ended. */
export async function endAllSessions(ctx: VisitorCtx, { userId }: { userId: UserId }): Promise<number> {
  const ended = await ctx.db.delete(sessions).where(eq(sessions.userId, userId)).returning({ userId: sessions.userId });
  return ended.length;
}

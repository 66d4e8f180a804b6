import { eq } from "drizzle-orm";
import { sessions } from "#db/schema/index.ts";
import type { VisitorCtx } from "../context.ts";
import type { UserId } from "../ids.ts";
import { hashSecret, newSecret } from "./secrets.server.ts";
import { sessionLife } from "./session.ts";

/**
 * Begins a session with a new token, whatever the browser had before: that one ends. The token is for the cookie only;
 * the row has its hash.
 */
export async function startSession(
  ctx: VisitorCtx,
  input: { userId: UserId; userAgent: string | null; replaces: string | undefined },
): Promise<{ token: string }> {
  const token = newSecret();
  const now = ctx.clock();
  await ctx.db.transaction(async (tx) => {
    if (input.replaces) await tx.delete(sessions).where(eq(sessions.tokenHash, hashSecret(input.replaces)));
    await tx.insert(sessions).values({
      tokenHash: hashSecret(token),
      userId: input.userId,
      createdAt: now,
      lastSeenAt: now,
      expiresAt: new Date(now.getTime() + sessionLife),
      userAgent: input.userAgent?.slice(0, 300) ?? null,
    });
  });
  return { token };
}

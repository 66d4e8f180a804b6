import { eq } from "drizzle-orm";
import { sessions } from "#db/schema/index.ts";
import type { VisitorCtx } from "../context.ts";
import type { UserId } from "../ids.ts";
import { noticeDevice } from "./notice-device.server.ts";
import { hashSecret, newSecret } from "./secrets.server.ts";
import { sessionLife } from "./session.ts";

/**
 * Begins a session with a new token, whatever the browser had before: that one ends. The token is for the cookie only;
 * the row has its hash.
 */
export async function startSession(
  ctx: VisitorCtx,
  input: {
    userId: UserId;
    userAgent: string | null;
    replaces: string | undefined;
    /** The browser's own secret, by which it is known again. */
    device?: string;
  },
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
    const { device: secret, ...person } = input;
    if (secret) await noticeDevice({ ...ctx, db: tx }, { ...person, secret, signIn: hashSecret(token) });
  });
  return { token };
}

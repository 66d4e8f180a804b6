import { eq } from "drizzle-orm";
import { lockPerson } from "#app/domain/accounts/lock-person.server.ts";
import { hashSecret, newSecret } from "#app/domain/accounts/secrets.server.ts";
import type { VisitorCtx } from "#app/domain/context.ts";
import type { UserId } from "#app/domain/ids.ts";
import { sessions } from "#db/schema/index.ts";
import { recordSignInDevice } from "./record-sign-in-device.server.ts";
import { sessionMaxAgeMs } from "./session.ts";
import { signInFailed } from "./sign-in-user.server.ts";

/**
 * Starts a session with a new token and ends the browser's previous session. The token is for the cookie only; the row
 * stores its hash. Throws `sign_in_failed` for a person who is erased meanwhile.
 */
export async function startSession(
  ctx: VisitorCtx,
  input: {
    userId: UserId;
    userAgent: string | null;
    replaces: string | undefined;
    /** The browser's own secret, which identifies it at later sign-ins. */
    device?: string;
  },
): Promise<{ token: string }> {
  const token = newSecret();
  const now = ctx.clock();
  await ctx.db.transaction(async (tx) => {
    if (!(await lockPerson({ db: tx }, input.userId))) throw signInFailed();
    if (input.replaces) await tx.delete(sessions).where(eq(sessions.tokenHash, hashSecret(input.replaces)));
    await tx.insert(sessions).values({
      tokenHash: hashSecret(token),
      userId: input.userId,
      createdAt: now,
      lastSeenAt: now,
      expiresAt: new Date(now.getTime() + sessionMaxAgeMs),
      userAgent: input.userAgent?.slice(0, 300) ?? null,
    });
    const { device: secret, ...person } = input;
    if (secret) await recordSignInDevice({ ...ctx, db: tx }, { ...person, secret, signIn: hashSecret(token) });
  });
  return { token };
}

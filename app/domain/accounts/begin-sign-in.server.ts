import { signInAttempts } from "#db/schema/index.ts";
import type { VisitorCtx } from "../context.ts";
import { hashSecret, newSecret } from "./secrets.server.ts";

/** How long a sign-in may take, in milliseconds. */
export const signInAttemptLife = 10 * 60 * 1000;

/** Notes that this browser is about to sign in. The secret is for its cookie: only this browser can finish. */
export async function beginSignIn(
  ctx: VisitorCtx,
  attempt: { state: string; codeVerifier: string; nonce: string; redirectTo: string | undefined },
): Promise<{ browserSecret: string }> {
  const browserSecret = newSecret();
  await ctx.db.insert(signInAttempts).values({
    stateHash: hashSecret(attempt.state),
    browserHash: hashSecret(browserSecret),
    codeVerifier: attempt.codeVerifier,
    nonce: attempt.nonce,
    redirectTo: attempt.redirectTo,
    createdAt: ctx.clock(),
  });
  return { browserSecret };
}

import { hashSecret, newSecret } from "#app/domain/accounts/secrets.server.ts";
import type { VisitorCtx } from "#app/domain/context.ts";
import { signInAttempts } from "#db/schema/index.ts";

/** The lifetime of a sign-in attempt in milliseconds. */
export const signInAttemptTtlMs = 10 * 60 * 1000;

/**
 * Stores a sign-in attempt of this browser. The returned secret is for a cookie: only this browser can complete the
 * attempt.
 */
export async function createSignInAttempt(
  ctx: VisitorCtx,
  attempt: { provider: string; state: string; codeVerifier: string; nonce: string; redirectTo: string | undefined },
): Promise<{ browserSecret: string }> {
  const browserSecret = newSecret();
  await ctx.db.insert(signInAttempts).values({
    provider: attempt.provider,
    stateHash: hashSecret(attempt.state),
    browserHash: hashSecret(browserSecret),
    codeVerifier: attempt.codeVerifier,
    nonce: attempt.nonce,
    redirectTo: attempt.redirectTo,
    createdAt: ctx.clock(),
  });
  return { browserSecret };
}

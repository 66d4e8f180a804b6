import { and, eq, gt } from "drizzle-orm";
import { hashSecret } from "#app/domain/accounts/secrets.server.ts";
import type { VisitorCtx } from "#app/domain/context.ts";
import { signInAttempts } from "#db/schema/index.ts";
import { signInAttemptTtlMs } from "./create-sign-in-attempt.server.ts";

export type SignInAttempt = {
  provider: string;
  stateHash: string;
  codeVerifier: string;
  nonce: string;
  redirectTo: string | null;
  usedAt: Date | null;
};

/**
 * Finds this browser's attempt of the last ten minutes, used or not. The browser's secret belongs to its latest attempt
 * only, because each new attempt replaces the cookie.
 */
export async function findSignInAttempt(
  ctx: VisitorCtx,
  { browserSecret }: { browserSecret: string },
): Promise<SignInAttempt | undefined> {
  const [attempt] = await ctx.db
    .select({
      provider: signInAttempts.provider,
      stateHash: signInAttempts.stateHash,
      codeVerifier: signInAttempts.codeVerifier,
      nonce: signInAttempts.nonce,
      redirectTo: signInAttempts.redirectTo,
      usedAt: signInAttempts.usedAt,
    })
    .from(signInAttempts)
    .where(
      and(
        eq(signInAttempts.browserHash, hashSecret(browserSecret)),
        gt(signInAttempts.createdAt, new Date(ctx.clock().getTime() - signInAttemptTtlMs)),
      ),
    );
  return attempt;
}

import { and, eq, gt } from "drizzle-orm";
import { signInAttempts } from "#db/schema/index.ts";
import type { VisitorCtx } from "../context.ts";
import { signInAttemptLife } from "./begin-sign-in.server.ts";
import { hashSecret } from "./secrets.server.ts";

export type SignInAttempt = {
  stateHash: string;
  codeVerifier: string;
  nonce: string;
  redirectTo: string | null;
  usedAt: Date | null;
};

/**
 * This browser's attempt of the last ten minutes, used or not. A browser's secret belongs to its latest attempt only, since each
 * new one replaces the cookie.
 */
export async function findSignInAttempt(
  ctx: VisitorCtx,
  { browserSecret }: { browserSecret: string },
): Promise<SignInAttempt | undefined> {
  const [attempt] = await ctx.db
    .select({
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
        gt(signInAttempts.createdAt, new Date(ctx.clock().getTime() - signInAttemptLife)),
      ),
    );
  return attempt;
}

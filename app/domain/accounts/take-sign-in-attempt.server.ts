import { and, eq, gt, isNull } from "drizzle-orm";
import { signInAttempts } from "#db/schema/index.ts";
import type { VisitorCtx } from "../context.ts";
import { signInAttemptLife } from "./begin-sign-in.server.ts";
import { hashSecret } from "./secrets.server.ts";

export type TakenAttempt = { codeVerifier: string; nonce: string };

/**
 * Takes this browser's attempt, at most once: of many callers at the same time one gets it. Undefined when it was taken, is
 * older than ten minutes, or is not the one `state` names. A browser's secret belongs to its latest attempt only, since
 * each new one replaces the cookie. The calls give no state; there the secret and the code verifier must do.
 */
export async function takeSignInAttempt(
  ctx: VisitorCtx,
  { browserSecret, state }: { browserSecret: string; state: string | undefined },
): Promise<TakenAttempt | undefined> {
  const now = ctx.clock();
  const [attempt] = await ctx.db
    .update(signInAttempts)
    .set({ usedAt: now })
    .where(
      and(
        eq(signInAttempts.browserHash, hashSecret(browserSecret)),
        state === undefined ? undefined : eq(signInAttempts.stateHash, hashSecret(state)),
        gt(signInAttempts.createdAt, new Date(now.getTime() - signInAttemptLife)),
        isNull(signInAttempts.usedAt),
      ),
    )
    .returning({
      codeVerifier: signInAttempts.codeVerifier,
      nonce: signInAttempts.nonce,
    });
  return attempt;
}

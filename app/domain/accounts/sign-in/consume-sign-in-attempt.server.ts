import { and, eq, isNull } from "drizzle-orm";
import { hashSecret } from "#app/domain/accounts/secrets.server.ts";
import type { VisitorCtx } from "#app/domain/context.ts";
import { DomainError } from "#app/domain/errors.ts";
import { signInAttempts } from "#db/schema/index.ts";

/** The attempt was already used for a sign-in, or a concurrent request is using it. */
export class AttemptConsumedError extends DomainError {
  constructor() {
    super("sign_in_failed", "Authentication failed");
  }
}

/**
 * Marks this browser's attempt as used; of several concurrent requests only one succeeds. Throws AttemptConsumedError.
 */
export async function consumeSignInAttempt(
  ctx: VisitorCtx,
  { browserSecret }: { browserSecret: string },
): Promise<void> {
  const consumed = await ctx.db
    .update(signInAttempts)
    .set({ usedAt: ctx.clock() })
    .where(and(eq(signInAttempts.browserHash, hashSecret(browserSecret)), isNull(signInAttempts.usedAt)))
    .returning({ stateHash: signInAttempts.stateHash });
  if (consumed.length === 0) throw new AttemptConsumedError();
}

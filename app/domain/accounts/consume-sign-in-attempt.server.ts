import { and, eq, isNull } from "drizzle-orm";
import { signInAttempts } from "#db/schema/index.ts";
import type { VisitorCtx } from "../context.ts";
import { DomainError } from "../errors.ts";
import { hashSecret } from "./secrets.server.ts";

/** The attempt has finished a sign-in already, or another request is finishing it. */
export class AttemptConsumedError extends DomainError {
  constructor() {
    super("sign_in_failed", "Authentication failed");
  }
}

/** Marks this browser's attempt as used: of many callers at the same time one gets through. Throws AttemptConsumedError. */
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

import { and, eq, gt } from "drizzle-orm";
import { signInAttempts } from "#db/schema/index.ts";
import type { VisitorCtx } from "../context.ts";
import { signInAttemptLife } from "./begin-sign-in.server.ts";
import { hashSecret } from "./secrets.server.ts";

/** This browser's attempt, taken or not, for the page that says Welcome and for a callback that is opened twice. */
export async function findSignInAttempt(
  ctx: VisitorCtx,
  { browserSecret }: { browserSecret: string },
): Promise<{ stateHash: string; redirectTo: string | null; usedAt: Date | null } | undefined> {
  const [attempt] = await ctx.db
    .select({
      stateHash: signInAttempts.stateHash,
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

import type { VisitorCtx } from "../context.ts";
import { DomainError } from "../errors.ts";
import { type Allowance, drawTokens } from "./draw-tokens.server.ts";

/** Takes one token from a bucket that all processes share; throws `rate_limited` when it is empty. */
export async function takeToken(ctx: VisitorCtx, allowance: Allowance): Promise<void> {
  const { drawn, waitMs } = await drawTokens(ctx, { ...allowance, count: 1 });
  if (drawn > 0) return;
  throw new DomainError("rate_limited", "Too many attempts. Wait a little and try again.", {
    retryAfterSeconds: Math.max(1, Math.ceil(waitMs / 1000)),
  });
}

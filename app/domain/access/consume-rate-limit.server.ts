import type { VisitorCtx } from "../context.ts";
import { DomainError } from "../errors.ts";
import { drawTokens, type RateLimit } from "./draw-tokens.server.ts";

/** Consumes one token of a bucket that all processes share. Throws `rate_limited` when the bucket is empty. */
export async function consumeRateLimit(ctx: VisitorCtx, rateLimit: RateLimit): Promise<void> {
  const { drawn, waitMs } = await drawTokens(ctx, { ...rateLimit, count: 1 });
  if (drawn > 0) return;
  throw new DomainError("rate_limited", "Too many attempts. Wait a minute and try again.", {
    retryAfterSeconds: Math.max(1, Math.ceil(waitMs / 1000)),
  });
}

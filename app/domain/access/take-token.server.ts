import { eq, sql } from "drizzle-orm";
import { rateLimits } from "#db/schema/index.ts";
import type { VisitorCtx } from "../context.ts";
import { DomainError } from "../errors.ts";

/** `capacity` at once, and as many again in the course of `seconds`. */
type Allowance = { bucket: string; capacity: number; seconds: number };

/** Takes one token from a bucket that all processes share; throws `rate_limited` when it is empty. */
export async function takeToken(ctx: VisitorCtx, { bucket, capacity, seconds }: Allowance): Promise<void> {
  const now = ctx.clock();
  const full = capacity * 1000;
  const period = seconds * 1000;
  const passed = sql`greatest(0, extract(epoch from (excluded.refilled_at - ${rateLimits.refilledAt})) * 1000)`;
  const level = sql`least(${full}::numeric, ${rateLimits.tokens} + ${passed} * ${full}::numeric / ${period}::numeric)`;
  const taken = await ctx.db
    .insert(rateLimits)
    .values({ bucket, tokens: full - 1000, refilledAt: now })
    .onConflictDoUpdate({
      target: rateLimits.bucket,
      set: { tokens: sql`floor(${level} - 1000)::int`, refilledAt: sql`excluded.refilled_at` },
      setWhere: sql`${level} >= 1000`,
    })
    .returning({ tokens: rateLimits.tokens });
  if (taken.length > 0) return;
  const [row] = await ctx.db.select().from(rateLimits).where(eq(rateLimits.bucket, bucket));
  const waited = now.getTime() - (row?.refilledAt.getTime() ?? 0);
  const toWait = ((1000 - (row?.tokens ?? 0)) * period) / full - waited;
  throw new DomainError("rate_limited", "Too many attempts. Wait a little and try again.", {
    retryAfterSeconds: Math.max(1, Math.ceil(toWait / 1000)),
  });
}

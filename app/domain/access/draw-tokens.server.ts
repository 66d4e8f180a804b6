import { eq, sql } from "drizzle-orm";
import { rateLimits } from "#db/schema/index.ts";
import type { VisitorCtx } from "../context.ts";

/** `capacity` at once, and as many again in the course of `seconds`. */
export type Allowance = { bucket: string; capacity: number; seconds: number };

/** `left` and `waitMs`, until there is a token again, are as of this draw; others draw too. */
export type Drawn = { drawn: number; left: number; waitMs: number };

/** Draws up to `count` tokens from a bucket that all processes share: as many as there are, none when it is empty. */
export async function drawTokens(ctx: VisitorCtx, allowance: Allowance & { count: number }): Promise<Drawn> {
  const wanted = Math.min(allowance.count, allowance.capacity);
  const left = await draw(ctx, { ...allowance, count: wanted });
  if (left !== undefined) return { drawn: wanted, left, waitMs: 0 };
  const { whole, waitMs } = await levelOf(ctx, allowance);
  const rest = Math.min(wanted - 1, whole);
  if (rest > 0 && (await draw(ctx, { ...allowance, count: rest })) !== undefined) {
    return { drawn: rest, left: 0, waitMs: 0 };
  }
  return { drawn: 0, left: 0, waitMs };
}

/** Draws `count` tokens or none; the number left in the bucket when it did. Levels are in thousandths. */
async function draw(
  ctx: VisitorCtx,
  { bucket, capacity, seconds, count }: Allowance & { count: number },
): Promise<number | undefined> {
  const full = capacity * 1000;
  const period = seconds * 1000;
  const passed = sql`greatest(0, extract(epoch from (excluded.refilled_at - ${rateLimits.refilledAt})) * 1000)`;
  const level = sql`least(${full}::numeric, ${rateLimits.tokens} + ${passed} * ${full}::numeric / ${period}::numeric)`;
  const cost = count * 1000;
  const [row] = await ctx.db
    .insert(rateLimits)
    .values({ bucket, tokens: full - cost, refilledAt: ctx.clock() })
    .onConflictDoUpdate({
      target: rateLimits.bucket,
      set: {
        tokens: sql`floor(${level} - ${cost}::numeric)::int`,
        // Clocks of processes differ: a slower one must not refill the same time twice.
        refilledAt: sql`greatest(excluded.refilled_at, ${rateLimits.refilledAt})`,
      },
      setWhere: sql`${level} >= ${cost}::numeric`,
    })
    .returning({ tokens: rateLimits.tokens });
  return row && Math.floor(row.tokens / 1000);
}

/** How many whole tokens there are, and how long until there is one. */
async function levelOf(ctx: VisitorCtx, { bucket, capacity, seconds }: Allowance) {
  const [row] = await ctx.db.select().from(rateLimits).where(eq(rateLimits.bucket, bucket));
  const tokens = row?.tokens ?? 0;
  const passed = Math.max(0, ctx.clock().getTime() - (row?.refilledAt.getTime() ?? 0));
  const whole = Math.floor(Math.min(capacity, (tokens + (passed * capacity) / seconds) / 1000));
  return { whole, waitMs: Math.max(0, ((1000 - tokens) * seconds) / capacity - passed) };
}

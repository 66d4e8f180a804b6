import { and, eq, sql } from "drizzle-orm";
import type { Database } from "#db/client.server.ts";
import { rateLimits } from "#db/schema/index.ts";
import type { VisitorCtx } from "../context.ts";
import { preparedQuery } from "../prepared-query.server.ts";

/** A token bucket: it holds `capacity` tokens and refills completely within `seconds`. */
export type RateLimit = { bucket: string; capacity: number; seconds: number };

/**
 * `left` is the number of tokens after this draw and `waitMs` the time until one is available, in milliseconds. Other
 * processes draw too, so both are only estimates.
 */
export type Drawn = { drawn: number; left: number; waitMs: number };

/**
 * Draws up to `count` tokens from a bucket that all processes share: as many as the bucket has, none when it is empty.
 */
export async function drawTokens(ctx: VisitorCtx, rateLimit: RateLimit & { count: number }): Promise<Drawn> {
  const requested = Math.min(rateLimit.count, rateLimit.capacity);
  const left = await draw(ctx, { ...rateLimit, count: requested });
  if (left !== undefined) return { drawn: requested, left, waitMs: 0 };
  const { available, waitMs } = await readLevel(ctx, rateLimit);
  const remaining = Math.min(requested - 1, available);
  if (remaining > 0 && (await draw(ctx, { ...rateLimit, count: remaining })) !== undefined) {
    return { drawn: remaining, left: 0, waitMs: 0 };
  }
  return { drawn: 0, left: 0, waitMs };
}

/**
 * Draws `count` tokens or none. Returns the number of tokens left, or undefined when there were too few. The column
 * counts thousandths of a token.
 */
async function draw(
  ctx: VisitorCtx,
  { bucket, capacity, seconds, count }: RateLimit & { count: number },
): Promise<number | undefined> {
  const full = capacity * 1000;
  const cost = count * 1000;
  const now = ctx.clock();
  const values = { bucket, full, cost, remaining: full - cost, period: seconds * 1000, now };
  const [row] = await preparedFor(ctx.db).execute(values);
  return row && Math.floor(row.tokens / 1000);
}

/**
 * Built once: building it for each draw was a quarter of the processor time that limits take (`npm run bench limits`).
 */
const preparedFor = preparedQuery(prepare);

function prepare(db: Database) {
  const [full, cost, period] = [sql.placeholder("full"), sql.placeholder("cost"), sql.placeholder("period")];
  const elapsedMs = sql`greatest(0, extract(epoch from (excluded.refilled_at - ${rateLimits.refilledAt})) * 1000)`;
  const level = sql`least(${full}::numeric, ${rateLimits.tokens} + ${elapsedMs} * ${full}::numeric / ${period}::numeric)`;
  return db
    .insert(rateLimits)
    .values({
      bucket: sql.placeholder("bucket"),
      tokens: sql.placeholder("remaining"),
      refilledAt: sql.placeholder("now"),
    })
    .onConflictDoUpdate({
      target: rateLimits.bucket,
      set: {
        tokens: sql`floor(${level} - ${cost}::numeric)::int`,
        // The clocks of processes differ: a slower clock must not refill the same time twice.
        refilledAt: sql`greatest(excluded.refilled_at, ${rateLimits.refilledAt})`,
      },
      setWhere: sql`${level} >= ${cost}::numeric`,
    })
    .returning({ tokens: rateLimits.tokens })
    .prepare("draw_tokens");
}

/** Returns the number of whole tokens in the bucket and the time until one is available, in milliseconds. */
async function readLevel(ctx: VisitorCtx, { bucket, capacity, seconds }: RateLimit) {
  const [row] = await ctx.db.select().from(rateLimits).where(eq(rateLimits.bucket, bucket));
  const tokens = row?.tokens ?? 0;
  const now = ctx.clock();
  const elapsedMs = Math.max(0, now.getTime() - (row?.refilledAt.getTime() ?? 0));
  // Written while a clock was fast, and not merely by a process whose clock differs a little: without this the bucket
  // would stay empty until that time.
  if (row && row.refilledAt.getTime() - now.getTime() > seconds * 1000) {
    await ctx.db
      .update(rateLimits)
      .set({ refilledAt: now })
      .where(and(eq(rateLimits.bucket, bucket), eq(rateLimits.refilledAt, row.refilledAt)));
  }
  const available = Math.floor(Math.min(capacity, (tokens + (elapsedMs * capacity) / seconds) / 1000));
  return { available, waitMs: Math.max(0, ((1000 - tokens) * seconds) / capacity - elapsedMs) };
}

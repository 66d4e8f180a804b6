import { lotSize } from "./budgets.ts";

/** Draws up to `count` tokens from the budget that all processes share. Rejects if the database is down. */
export type DrawLot = (requested: { bucket: string; capacity: number; seconds: number; count: number }) => Promise<{
  drawn: number;
  left: number;
  waitMs: number;
}>;

type Options = { draw: DrawLot; now: () => number; seconds: number };

export type Verdict = {
  /** `unknown`: the database did not respond in time. */
  outcome: "allowed" | "refused" | "unknown";
  /** The remaining tokens, as far as this process knows. */
  left: number;
  /** Milliseconds until the next request may be allowed; 0 if this one was. */
  waitMs: number;
};

type Bucket = {
  lot: number;
  /** The tokens of this process's own share, which refills. */
  own: number;
  filledAt: number;
  /** Tokens drawn from the shared budget and not spent yet. */
  held: number;
  sharedLeft: number;
  /** When to draw again, after the shared budget was empty or did not respond. */
  nextDrawAt: number;
  isAway: boolean;
  drawing: Promise<void> | undefined;
  usedAt: number;
};

type SpendOptions = {
  /** If true, waits for a slow database without limit; otherwise for one second, after which the outcome is unknown. */
  waitsForDatabase?: boolean;
};

export type Limiter = {
  /** Spends one token of the bucket's `quota`, usually locally; occasionally draws more from the database. */
  spend: (bucket: string, quota: number, options?: SpendOptions) => Verdict | Promise<Verdict>;
  /**
   * Returns for how many milliseconds the bucket is known to be empty; 0 if a request may be allowed. Neither spends
   * nor draws.
   */
  emptyMs: (bucket: string) => number;
};

/** The timeout of a draw, and the interval after which an empty budget is drawn from again; in milliseconds. */
const drawTimeoutMs = 1_000;
const pauseMs = 1_000;
const maxBuckets = 50_000;

/**
 * Opens budgets that several processes share without a write per request (docs/decisions/0057). Each process spends a
 * tenth of a quota locally; beyond that it draws a tenth at a time from the other nine, which are one row that all
 * processes share.
 */
export function openLimiter({ draw, now, seconds }: Options): Limiter {
  const buckets = new Map<string, Bucket>();
  const periodMs = seconds * 1_000;

  function bucketFor(name: string, quota: number): Bucket {
    const known = buckets.get(name);
    if (known) return known;
    if (buckets.size >= maxBuckets) dropIdleBudgets();
    const lot = lotSize(quota);
    const [filledAt, usedAt] = [now(), now()];
    const newBucket = { lot, own: lot, filledAt, held: 0, sharedLeft: quota - lot, nextDrawAt: 0, usedAt };
    const bucket: Bucket = { ...newBucket, isAway: false, drawing: undefined };
    buckets.set(name, bucket);
    return bucket;
  }

  /**
   * Removes buckets that were idle for the whole period, whose local share is full again. Under a flood of clients the
   * oldest buckets are removed.
   */
  function dropIdleBudgets(): void {
    for (const [name, { usedAt }] of buckets) if (usedAt + periodMs <= now()) buckets.delete(name);
    for (const name of buckets.keys()) {
      if (buckets.size < maxBuckets * 0.9) break;
      buckets.delete(name);
    }
  }

  function refill(bucket: Bucket): void {
    const at = now();
    bucket.own = Math.min(bucket.lot, bucket.own + (Math.max(0, at - bucket.filledAt) * bucket.lot) / periodMs);
    bucket.filledAt = at;
    if (bucket.usedAt + periodMs <= at) bucket.held = 0;
  }

  function spendNow(bucket: Bucket): boolean {
    const [from, has] = bucket.own >= 1 ? (["own", true] as const) : (["held", bucket.held >= 1] as const);
    if (has) bucket[from] -= 1;
    return has;
  }

  function verdict(bucket: Bucket, outcome: Verdict["outcome"]): Verdict {
    const left = Math.floor(bucket.own) + bucket.held + bucket.sharedLeft;
    return { outcome, left: outcome === "allowed" ? left : 0, waitMs: outcome === "refused" ? waitOf(bucket) : 0 };
  }

  function waitOf(bucket: Bucket): number {
    const ownMs = ((1 - bucket.own) * periodMs) / bucket.lot;
    return Math.max(1, Math.min(ownMs, Math.max(pauseMs, bucket.nextDrawAt - now())));
  }

  async function drawLot(name: string, bucket: Bucket, quota: number): Promise<void> {
    const capacity = quota - bucket.lot;
    try {
      const { drawn, left, waitMs } = await draw({ bucket: name, capacity, seconds, count: bucket.lot });
      bucket.held += drawn;
      bucket.sharedLeft = left;
      bucket.isAway = false;
      bucket.nextDrawAt = drawn < bucket.lot ? now() + Math.max(pauseMs, waitMs) : 0;
    } catch {
      bucket.isAway = true;
      bucket.nextDrawAt = now() + pauseMs;
    } finally {
      bucket.drawing = undefined;
    }
  }

  /** Concurrent requests wait for one draw; if others spent all of it, they draw again. */
  async function spendLater(name: string, bucket: Bucket, quota: number, waitsForDatabase: boolean): Promise<Verdict> {
    while (now() >= bucket.nextDrawAt || (waitsForDatabase && bucket.drawing)) {
      bucket.drawing ??= drawLot(name, bucket, quota);
      if (waitsForDatabase) await bucket.drawing;
      else if (!(await endsWithin(bucket.drawing, drawTimeoutMs))) {
        bucket.isAway = true;
        bucket.nextDrawAt = now() + pauseMs;
        break;
      }
      if (spendNow(bucket)) return verdict(bucket, "allowed");
    }
    return verdict(bucket, bucket.isAway ? "unknown" : "refused");
  }

  return {
    spend(name, quota, { waitsForDatabase = false } = {}) {
      const bucket = bucketFor(name, quota);
      refill(bucket);
      bucket.usedAt = now();
      if (spendNow(bucket)) return verdict(bucket, "allowed");
      if (bucket.lot >= quota) return verdict(bucket, "refused");
      return spendLater(name, bucket, quota, waitsForDatabase);
    },
    emptyMs(name) {
      const bucket = buckets.get(name);
      if (!bucket || bucket.isAway) return 0;
      refill(bucket);
      const isEmpty = bucket.own < 1 && bucket.held < 1 && now() < bucket.nextDrawAt;
      return isEmpty ? waitOf(bucket) : 0;
    },
  };
}

/** Whether work that never rejects ends in time; the work continues otherwise. */
async function endsWithin(work: Promise<void>, milliseconds: number): Promise<boolean> {
  let clock: NodeJS.Timeout | undefined;
  const late = new Promise<boolean>((resolve) => {
    clock = setTimeout(() => resolve(false), milliseconds);
  });
  const done = await Promise.race([work.then(() => true), late]);
  clearTimeout(clock);
  return done;
}

import { lotOf } from "./budgets.ts";

/** Draws up to `count` tokens from the budget that all processes share. Rejects when the database is away. */
export type DrawLot = (asked: { bucket: string; capacity: number; seconds: number; count: number }) => Promise<{
  drawn: number;
  left: number;
  waitMs: number;
}>;

type Options = { draw: DrawLot; now: () => number; seconds: number };

export type Verdict = {
  /** `unknown`: the database did not say in time. */
  outcome: "allowed" | "refused" | "unknown";
  /** As far as this process knows. */
  left: number;
  /** Until the next request may be allowed; 0 when this one was. */
  waitMs: number;
};

type Bucket = {
  lot: number;
  /** What this process may spend by itself; refills. */
  own: number;
  filledAt: number;
  /** Drawn from the shared budget and not spent yet. */
  held: number;
  sharedLeft: number;
  /** The shared budget was empty, or did not answer: it is not asked before. */
  nextDrawAt: number;
  isAway: boolean;
  drawing: Promise<void> | undefined;
  usedAt: number;
};

type SpendOptions = {
  /** Waits for a slow database as long as it is given; else for a second, and the outcome is unknown. */
  isPatient?: boolean;
};

export type Limiter = {
  /** Spends one of the bucket's `quota`. Most often by itself, now and then by asking the database for a lot. */
  spend: (bucket: string, quota: number, options?: SpendOptions) => Verdict | Promise<Verdict>;
  /** For how long the bucket is known to be empty, in milliseconds; 0 when a request may be allowed. Spends and asks nothing. */
  emptyMs: (bucket: string) => number;
};

/** A database that is slower than this holds no impatient request up, and an empty budget is not asked again sooner; milliseconds. */
const patienceMs = 1_000;
const pauseMs = 1_000;
const maxBuckets = 50_000;

/**
 * Budgets that several processes share without a write for each request (docs/decisions/0057). Of each quota a process spends a tenth by
 * itself; past that it draws a tenth at a time from the other nine, which are a row that all share.
 */
export function openLimiter({ draw, now, seconds }: Options): Limiter {
  const buckets = new Map<string, Bucket>();
  const periodMs = seconds * 1_000;

  function bucketFor(name: string, quota: number): Bucket {
    const known = buckets.get(name);
    if (known) return known;
    if (buckets.size >= maxBuckets) forgetIdle();
    const lot = lotOf(quota);
    const [filledAt, usedAt] = [now(), now()];
    const made = { lot, own: lot, filledAt, held: 0, sharedLeft: quota - lot, nextDrawAt: 0, usedAt };
    const bucket: Bucket = { ...made, isAway: false, drawing: undefined };
    buckets.set(name, bucket);
    return bucket;
  }

  /** Whoever rested for the whole period has its tenth again. Of a flood of clients the oldest are forgotten. */
  function forgetIdle(): void {
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

  /** Requests at the same time wait for one draw; when others spent all of it, they draw again. */
  async function spendLater(name: string, bucket: Bucket, quota: number, isPatient: boolean): Promise<Verdict> {
    while (now() >= bucket.nextDrawAt || (isPatient && bucket.drawing)) {
      bucket.drawing ??= drawLot(name, bucket, quota);
      if (isPatient) await bucket.drawing;
      else if (!(await endsWithin(bucket.drawing, patienceMs))) {
        bucket.isAway = true;
        bucket.nextDrawAt = now() + pauseMs;
        break;
      }
      if (spendNow(bucket)) return verdict(bucket, "allowed");
    }
    return verdict(bucket, bucket.isAway ? "unknown" : "refused");
  }

  return {
    spend(name, quota, { isPatient = false } = {}) {
      const bucket = bucketFor(name, quota);
      refill(bucket);
      bucket.usedAt = now();
      if (spendNow(bucket)) return verdict(bucket, "allowed");
      if (bucket.lot >= quota) return verdict(bucket, "refused");
      return spendLater(name, bucket, quota, isPatient);
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

/** Whether work that never fails ends in time; it goes on if not. */
async function endsWithin(work: Promise<void>, milliseconds: number): Promise<boolean> {
  let clock: NodeJS.Timeout | undefined;
  const late = new Promise<boolean>((resolve) => {
    clock = setTimeout(() => resolve(false), milliseconds);
  });
  const done = await Promise.race([work.then(() => true), late]);
  clearTimeout(clock);
  return done;
}

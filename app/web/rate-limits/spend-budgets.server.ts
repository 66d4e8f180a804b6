import type { AppLoadContext } from "@remix-run/node";
import { drawTokens } from "#app/domain/access/draw-tokens.server.ts";
import { DomainError } from "#app/domain/errors.ts";
import { env } from "#app/env.server.ts";
import { database } from "#db/client.server.ts";
import { report } from "../log.server.ts";
import { budgetSeconds, type CostClass, type Payer, quotaOf } from "./budgets.ts";
import { openLimiter, type Verdict } from "./limiter.ts";

const limiter = openLimiter({
  draw: (asked) => drawTokens({ db: database(), clock: () => new Date(), door: "job", report }, asked),
  now: () => performance.now(),
  seconds: budgetSeconds,
});

/**
 * Has each of the payers pay for a request, and says in the answer's headers what the one with the least has left. Throws
 * `rate_limited`; and `unavailable` when the database does not say, except for what only reads.
 */
export async function spendBudgets(context: AppLoadContext, cost: CostClass, payers: readonly Payer[]): Promise<void> {
  const factor = env().rateLimitFactor;
  const onlyReads = cost === "read" || cost === "page";
  let tightest: { quota: number; verdict: Verdict } | undefined;
  for (const { kind, id } of payers) {
    const quota = quotaOf(cost, kind, factor);
    const asked = limiter.spend(bucketOf(cost, { kind, id }), quota, { isPatient: !onlyReads });
    const verdict = asked instanceof Promise ? await asked : asked;
    if (verdict.outcome === "unknown" && onlyReads) continue;
    if (verdict.outcome === "unknown") throw databaseAway();
    if (!tightest || verdict.left / quota < tightest.verdict.left / tightest.quota) tightest = { quota, verdict };
    if (verdict.outcome === "refused") break;
  }
  if (!tightest) return;
  context.setHeaders?.(headersOf(cost, tightest));
  const { outcome, waitMs } = tightest.verdict;
  if (outcome === "refused") throw tooManyRequests(waitMs);
}

/** Throws `rate_limited` when the payer is known to have spent its budget; costs nothing. */
export function requireBudget(context: AppLoadContext, cost: CostClass, payer: Payer): void {
  const waitMs = limiter.emptyMs(bucketOf(cost, payer));
  if (waitMs === 0) return;
  const quota = quotaOf(cost, payer.kind, env().rateLimitFactor);
  context.setHeaders?.(headersOf(cost, { quota, verdict: { outcome: "refused", left: 0, waitMs } }));
  throw tooManyRequests(waitMs);
}

function bucketOf(cost: CostClass, { kind, id }: Payer): string {
  return `${cost}:${kind}:${id}`;
}

/** Of the current IETF draft (draft-ietf-httpapi-ratelimit-headers). */
function headersOf(cost: CostClass, { quota, verdict }: { quota: number; verdict: Verdict }): Record<string, string> {
  const resetSeconds = Math.ceil(((quota - verdict.left) * budgetSeconds) / quota);
  return {
    "RateLimit-Policy": `"${cost}";q=${quota};w=${budgetSeconds}`,
    RateLimit: `"${cost}";r=${verdict.left};t=${resetSeconds}`,
  };
}

function tooManyRequests(waitMs: number): DomainError {
  const retryAfterSeconds = Math.max(1, Math.ceil(waitMs / 1_000));
  const wait = retryAfterSeconds === 1 ? "a second" : `${retryAfterSeconds} seconds`;
  return new DomainError("rate_limited", `Too many requests. Try again in ${wait}.`, { retryAfterSeconds });
}

function databaseAway(): DomainError {
  return new DomainError("unavailable", "The database is busy. Try again", { retryAfterSeconds: 2 });
}

import type { AppLoadContext } from "@remix-run/node";
import { drawTokens } from "#app/domain/access/draw-tokens.server.ts";
import { DomainError } from "#app/domain/errors.ts";
import { env } from "#app/env.server.ts";
import { database } from "#db/client.server.ts";
import { report } from "../log.server.ts";
import { budgetSeconds, type CostClass, type Payer, scaleQuota } from "./budgets.ts";
import { openLimiter, type Verdict } from "./limiter.ts";

const limiter = openLimiter({
  draw: (requested) => drawTokens({ db: database(), clock: () => new Date(), entrypoint: "job", report }, requested),
  now: () => performance.now(),
  seconds: budgetSeconds,
});

/**
 * Charges each payer for a request, and reports the lowest remaining budget in the response headers. Throws
 * `rate_limited`; throws `unavailable` if the database does not respond, except for reads.
 */
export async function spendBudgets(context: AppLoadContext, cost: CostClass, payers: readonly Payer[]): Promise<void> {
  const factor = env().rateLimitFactor;
  const onlyReads = cost === "read" || cost === "page";
  let tightest: { quota: number; verdict: Verdict } | undefined;
  for (const { kind, id } of payers) {
    const quota = scaleQuota(cost, kind, factor);
    const decision = limiter.spend(bucketOf(cost, { kind, id }), quota, { waitsForDatabase: !onlyReads });
    const verdict = decision instanceof Promise ? await decision : decision;
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

/** Throws `rate_limited` if the payer is known to have spent its budget; charges nothing. */
export function requireBudget(context: AppLoadContext, cost: CostClass, payer: Payer): void {
  const waitMs = limiter.emptyMs(bucketOf(cost, payer));
  if (waitMs === 0) return;
  const quota = scaleQuota(cost, payer.kind, env().rateLimitFactor);
  context.setHeaders?.(headersOf(cost, { quota, verdict: { outcome: "refused", left: 0, waitMs } }));
  throw tooManyRequests(waitMs);
}

function bucketOf(cost: CostClass, { kind, id }: Payer): string {
  return `${cost}:${kind}:${id}`;
}

/** Returns the headers of the IETF draft (draft-ietf-httpapi-ratelimit-headers). */
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
  return new DomainError("unavailable", "The database is busy. Try again in a few seconds.", { retryAfterSeconds: 2 });
}

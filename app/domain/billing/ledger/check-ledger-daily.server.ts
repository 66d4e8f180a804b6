import { withDeadline } from "#db/client.server.ts";
import { ledgerChecks } from "#db/schema/index.ts";
import { calendarDateOf } from "../../calendar-date.ts";
import type { Ctx, JobActor } from "../../context.ts";
import { checkLedger, type LedgerViolation } from "./check-ledger.server.ts";

/** The hour (UTC) from which a day's check may begin: after the monthly jobs of a first. */
const firstHour = 3;
/** How long the check may take, in milliseconds. It reads the whole ledger and holds no locks. */
const checkTimeoutMs = 10 * 60_000;

/** The ledger does not add up: each line is a rule of `ledger:check` with the ids of rows that violate it. */
class LedgerViolationError extends Error {
  constructor(violations: readonly LedgerViolation[]) {
    super(violations.map(({ rule, found }) => `${rule}: ${found.join(", ")}`).join("\n"));
    this.name = "LedgerViolationError";
  }
}

/**
 * Checks the whole ledger once a day, from 03:00 UTC on, in the process that asks first. Throws when it does not add up, or
 * cannot be read within ten minutes; either fails the job, and the next check is on the next day. Returns 1 after a check
 * that passed, otherwise 0.
 */
export async function checkLedgerDaily(ctx: Ctx<JobActor>): Promise<number> {
  const now = ctx.clock();
  if (now.getUTCHours() < firstHour) return 0;
  const claimed = await ctx.db
    .insert(ledgerChecks)
    .values({ day: calendarDateOf(now), startedAt: now })
    .onConflictDoNothing()
    .returning({ day: ledgerChecks.day });
  if (claimed.length === 0) return 0;
  const violations = await checkLedger(withDeadline(ctx, checkTimeoutMs));
  if (violations.length > 0) throw new LedgerViolationError(violations);
  return 1;
}

import { eq } from "drizzle-orm";
import { withDeadline } from "#db/client.server.ts";
import { ledgerChecks } from "#db/schema/index.ts";
import { calendarDateOf } from "../../calendar-date.ts";
import type { Ctx, JobActor } from "../../context.ts";
import { allowIdle, inTransaction } from "../../transaction.server.ts";
import { tryLock } from "../../try-lock.server.ts";
import { checkLedger, type LedgerViolation } from "./check-ledger.server.ts";

/** The hour (UTC) from which a day's check may begin: after the monthly jobs of a first. */
const firstHour = 3;
/** How long the check may take, in milliseconds. It reads the whole ledger and locks no rows. */
const checkTimeoutMs = 10 * 60_000;
/** How long the process that checks has the lock, in milliseconds: longer than the check takes. */
const lockTimeoutMs = checkTimeoutMs + 60_000;

/** The ledger does not add up: each line is a rule of `ledger:check` with the ids of rows that violate it. */
class LedgerViolationError extends Error {
  constructor(violations: readonly LedgerViolation[]) {
    super(violations.map(({ rule, found }) => `${rule}: ${found.join(", ")}`).join("\n"));
    this.name = "LedgerViolationError";
  }
}

/**
 * Checks the whole ledger once a day, from 03:00 UTC on, in one process at a time. Throws when it does not add up; the next
 * check is on the next day. A check that did not end is repeated by the next run: one that others blocked or that took more
 * than ten minutes throws, one of a process that stops does not. Returns 1 after a check that passed, otherwise 0.
 */
export async function checkLedgerDaily(ctx: Ctx<JobActor>): Promise<number> {
  if (ctx.clock().getUTCHours() < firstHour) return 0;
  const violations = await checkOncePerDay(ctx).catch((error) => {
    if (ctx.stopping?.aborted) return undefined;
    throw error;
  });
  if (!violations) return 0;
  if (violations.length > 0) throw new LedgerViolationError(violations);
  return 1;
}

/** Returns the violations; undefined when the day's check has ended already, or another process checks. */
function checkOncePerDay(ctx: Ctx<JobActor>): Promise<LedgerViolation[] | undefined> {
  const startedAt = ctx.clock();
  const day = calendarDateOf(startedAt);
  return inTransaction(withDeadline(ctx, lockTimeoutMs), async (tx) => {
    if (!(await tryLock(tx.db, "daily_ledger_check"))) return undefined;
    const [checked] = await tx.db.select().from(ledgerChecks).where(eq(ledgerChecks.day, day));
    if (checked) return undefined;
    await allowIdle(tx.db, lockTimeoutMs);
    // The snapshot is another transaction: this one writes, and reads what others committed before it got the lock.
    const violations = await checkLedger(withDeadline(ctx, checkTimeoutMs));
    await tx.db.insert(ledgerChecks).values({ day, startedAt });
    return violations;
  });
}

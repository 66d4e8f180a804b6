import { eq } from "drizzle-orm";
import { withDeadline } from "#db/client.server.ts";
import { ledgerChecks } from "#db/schema/index.ts";
import { calendarDateOf } from "../../calendar-date.ts";
import type { Ctx, JobActor } from "../../context.ts";
import { allowIdle, inTransaction, isLockTimeout } from "../../transaction.server.ts";
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
 * Checks the whole ledger once a day, from 03:00 UTC on, in one process at a time. Throws when it does not add up, or
 * cannot be read within ten minutes; the next check is on the next day. A check that others blocked throws too, and one
 * of a process that stops does not; both are repeated by the next run. Returns 1 after a check that passed, otherwise
 * 0.
 */
export async function checkLedgerDaily(ctx: Ctx<JobActor>): Promise<number> {
  if (ctx.clock().getUTCHours() < firstHour) return 0;
  const outcome = await checkOncePerDay(ctx).catch((error) => {
    if (ctx.stopping?.aborted) return undefined;
    throw error;
  });
  if (!outcome) return 0;
  if ("error" in outcome) throw outcome.error;
  if (outcome.violations.length > 0) throw new LedgerViolationError(outcome.violations);
  return 1;
}

/** What a check found, or why it failed in a way in which it would fail again. */
type Outcome = { violations: LedgerViolation[] } | { error: unknown };

/** Returns the outcome; undefined when the day's check has ended already, or another process checks. */
function checkOncePerDay(ctx: Ctx<JobActor>): Promise<Outcome | undefined> {
  const startedAt = ctx.clock();
  const day = calendarDateOf(startedAt);
  return inTransaction(withDeadline(ctx, lockTimeoutMs), async (tx) => {
    if (!(await tryLock(tx.db, "daily_ledger_check"))) return undefined;
    const [checked] = await tx.db.select().from(ledgerChecks).where(eq(ledgerChecks.day, day));
    if (checked) return undefined;
    await allowIdle(tx.db, lockTimeoutMs);
    // The snapshot is another transaction: this one writes, and reads what others committed before it got the lock.
    const outcome = await checkLedger(withDeadline(ctx, checkTimeoutMs)).then(
      (violations): Outcome => ({ violations }),
      (error: unknown): Outcome => {
        if (ctx.stopping?.aborted || isLockTimeout(error)) throw error;
        return { error };
      },
    );
    await tx.db.insert(ledgerChecks).values({ day, startedAt });
    return outcome;
  });
}

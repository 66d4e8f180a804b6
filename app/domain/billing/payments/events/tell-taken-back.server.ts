import { and, eq, sql } from "drizzle-orm";
import { readTakenBack } from "#app/payments/stripe/stripe-events.server.ts";
import { auditEntries } from "#db/schema/index.ts";
import { recordAudit } from "../../../audit/record-audit.server.ts";
import type { Ctx, JobActor } from "../../../context.ts";
import { inTransaction } from "../../../transaction.server.ts";
import { findCustomersAccount } from "./tenant-of.server.ts";

/**
 * A bank took money back, or somebody gave some back at the provider, past our books: it is written down for the operator, whose it
 * is to say what becomes of the wallet. Once for a message. True when there is something to look at.
 */
export async function tellTakenBack(
  ctx: Ctx<JobActor>,
  { about, paymentId, event }: { about: "dispute" | "refund"; paymentId: string; event: string },
): Promise<boolean> {
  const taken = await readTakenBack({ paymentId, about });
  const accountId = taken && (await findCustomersAccount(ctx, taken.customer));
  if (!taken || !accountId) return false;
  const action = about === "dispute" ? "account.payment_disputed" : "account.payment_returned";
  await inTransaction(ctx, async (tx) => {
    // The same message twice at once is told once.
    await tx.db.execute(sql`select pg_advisory_xact_lock(hashtextextended(${event}, 0))`);
    const same = and(eq(auditEntries.entityId, accountId), eq(auditEntries.action, action));
    const told = sql`${auditEntries.after} ->> 'message' = ${event}`;
    if ((await tx.db.$count(auditEntries, and(same, told))) > 0) return;
    const after = { payment: paymentId, amount: taken.cents / 100, message: event };
    await recordAudit(tx, { action, entity: "account", entityId: accountId, accountId, after });
  });
  return true;
}

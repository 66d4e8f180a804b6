import { and, eq } from "drizzle-orm";
import { accounts } from "#db/schema/index.ts";
import { recordAudit } from "../../audit/record-audit.server.ts";
import type { Ctx, OperatorActor } from "../../context.ts";
import { invalidInput, notFound } from "../../errors.ts";
import type { AccountId } from "../../ids.ts";
import type { Cents } from "../../money.ts";
import { inTransaction } from "../../transaction.server.ts";
import { syncFundsHolds } from "./sync-funds-holds.server.ts";

/** The maximum credit limit, in cents: ten million dollars. */
const maxCreditLimitCents = 1_000_000_000;

/**
 * Sets an advertiser's credit limit; 0 removes it, and existing debt stays and is still invoiced. Its campaigns resume
 * or go on hold at once. Throws `not_found` for an account that is not an advertiser, `invalid_input`.
 */
export async function setCreditLimit(
  ctx: Ctx<OperatorActor>,
  { accountId, amount }: { accountId: AccountId; amount: Cents },
): Promise<void> {
  if (amount < 0 || amount > maxCreditLimitCents) {
    const message = "Enter a credit limit from $0 to $10,000,000";
    throw invalidInput({ amount: [message] }, message);
  }
  await inTransaction(ctx, async (tx) => {
    const isAdvertiser = and(eq(accounts.id, accountId), eq(accounts.type, "advertiser"));
    const [before] = await tx.db.select().from(accounts).where(isAdvertiser).for("no key update");
    if (!before) throw notFound("Advertiser");
    if (before.creditLimitCents === amount) return;
    await tx.db.update(accounts).set({ creditLimitCents: amount, hadCredit: true }).where(isAdvertiser);
    await recordAudit(tx, {
      action: "account.credit_limit_set",
      entity: "account",
      entityId: accountId,
      accountId,
      before: { credit_limit: before.creditLimitCents / 100 },
      after: { credit_limit: amount / 100 },
    });
  });
  await syncFundsHolds(ctx, [accountId]);
}

import { and, eq } from "drizzle-orm";
import { accounts } from "#db/schema/index.ts";
import { recordAudit } from "../../audit/record-audit.server.ts";
import type { Ctx, OperatorActor } from "../../context.ts";
import { invalidInput, notFound } from "../../errors.ts";
import type { AccountId } from "../../ids.ts";
import type { Cents } from "../../money.ts";
import { inTransaction } from "../../transaction.server.ts";
import { refreshFunds } from "./refresh-funds.server.ts";

/** The most that an advertiser may be let owe: ten million dollars. */
const most = 1_000_000_000;

/**
 * Says how much an advertiser may owe; 0 takes it away, and what is owed stays owed. Its campaigns go on or wait at once. Throws
 * `not_found` for what is no advertiser, `invalid_input`.
 */
export async function setCreditLimit(
  ctx: Ctx<OperatorActor>,
  { accountId, amount }: { accountId: AccountId; amount: Cents },
): Promise<void> {
  if (amount < 0 || amount > most) {
    const message = "A credit limit is from $0 to $10,000,000";
    throw invalidInput({ amount: [message] }, message);
  }
  await inTransaction(ctx, async (tx) => {
    const theAdvertiser = and(eq(accounts.id, accountId), eq(accounts.type, "advertiser"));
    const [before] = await tx.db.select().from(accounts).where(theAdvertiser).for("no key update");
    if (!before) throw notFound("Advertiser");
    if (before.creditLimitCents === amount) return;
    await tx.db.update(accounts).set({ creditLimitCents: amount }).where(theAdvertiser);
    await recordAudit(tx, {
      action: "account.credit_limit_set",
      entity: "account",
      entityId: accountId,
      accountId,
      before: { credit_limit: before.creditLimitCents / 100 },
      after: { credit_limit: amount / 100 },
    });
  });
  await refreshFunds(ctx, [accountId]);
}

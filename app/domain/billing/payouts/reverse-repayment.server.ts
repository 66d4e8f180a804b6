import { and, desc, eq, isNull } from "drizzle-orm";
import { repayments } from "#db/schema/index.ts";
import type { Ctx, OperatorActor } from "../../context.ts";
import { notFound } from "../../errors.ts";
import type { AccountId } from "../../ids.ts";
import { invariant } from "../../invariant.ts";
import { asCents, type Cents } from "../../money.ts";
import { inTransaction } from "../../transaction.server.ts";
import { lockLedgerAccounts } from "../ledger/ledger-accounts.server.ts";
import { findStandingRepayment, postRepayment } from "./repayment-rows.server.ts";

/**
 * Records that a repayment was recorded for the wrong account, or that the bank returned the transfer: the publisher owes its
 * amount again, also after it is in a payout, and its reference can be recorded once more. A repetition changes nothing.
 * Returns the amount, in cents. Throws `not_found` when the account has no repayment with the reference.
 */
export async function reverseRepayment(
  ctx: Ctx<OperatorActor>,
  { accountId: publisherId, ...input }: { accountId: AccountId; reference: string },
): Promise<{ amount: Cents; replayed: boolean }> {
  const reference = input.reference.trim();
  return inTransaction(ctx, async (tx) => {
    const isOwn = and(eq(repayments.reference, reference), eq(repayments.publisherId, publisherId));
    if ((await tx.db.$count(repayments, isOwn)) === 0) throw notFound("Repayment");
    const accounts = await lockLedgerAccounts(tx, [
      { account: "publisher_payable", ownerId: publisherId },
      { account: "cash" },
    ]);
    const standing = await findStandingRepayment(tx, reference);
    if (standing?.publisherId !== publisherId) {
      const [last] = await tx.db
        .select()
        .from(repayments)
        .where(and(isOwn, isNull(repayments.reversesId)))
        .orderBy(desc(repayments.occurrence))
        .limit(1);
      invariant(last, "reversal has no repayment", { publisherId, reference });
      return { amount: asCents(last.amountCents), replayed: true };
    }
    const { id: reversesId, occurrence, amountCents } = standing;
    const amount = asCents(-amountCents);
    await postRepayment(tx, { publisherId, reference, occurrence, reversesId, amount, accounts });
    return { amount: asCents(amountCents), replayed: false };
  });
}

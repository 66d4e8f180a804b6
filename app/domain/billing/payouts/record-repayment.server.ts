import { and, eq, isNull } from "drizzle-orm";
import { accounts, repayments } from "#db/schema/index.ts";
import type { Ctx, OperatorActor } from "../../context.ts";
import { invalidInput, notFound } from "../../errors.ts";
import type { AccountId } from "../../ids.ts";
import { asCents, type Cents, formatCents } from "../../money.ts";
import { inTransaction } from "../../transaction.server.ts";
import { ledgerAccountKey, lockLedgerAccounts } from "../ledger/ledger-accounts.server.ts";
import { isRecorded, readTransferReference } from "../transfer-reference.ts";
import { findStandingRepayment, postRepayment } from "./repayment-rows.server.ts";

type Transfer = {
  accountId: AccountId;
  amount: Cents;
  /** The bank's reference of the transfer. */
  reference: string;
};

/**
 * Records that a publisher with a negative balance transferred money to us, once per reference of the bank: a repetition
 * changes nothing, unless the repayment was reversed. The balance is read after the publisher's ledger account is locked, as
 * for a payout, so that never more is recorded than is owed. Throws `not_found` for an account that is not a publisher,
 * `idempotency_conflict` when the reference was recorded for another account or amount, and `invalid_input` for more than is
 * owed.
 */
export async function recordRepayment(
  ctx: Ctx<OperatorActor>,
  { accountId: publisherId, amount, ...input }: Transfer,
): Promise<{ replayed: boolean }> {
  const reference = readTransferReference(input.reference);
  return inTransaction(ctx, async (tx) => {
    const isPublisher = and(eq(accounts.id, publisherId), eq(accounts.type, "publisher"));
    if ((await tx.db.$count(accounts, isPublisher)) === 0) throw notFound("Publisher");
    const payable = { account: "publisher_payable" as const, ownerId: publisherId };
    const locked = await lockLedgerAccounts(tx, [payable, { account: "cash" }]);
    const known = await findStandingRepayment(tx, reference);
    const ofAccount = known && { accountId: known.publisherId, amountCents: known.amountCents };
    if (isRecorded(ofAccount, { accountId: publisherId, amount, reference })) return { replayed: true };
    requireAmount(amount, asCents(locked.get(ledgerAccountKey(payable))?.balance ?? 0));
    const isRecord = and(eq(repayments.reference, reference), isNull(repayments.reversesId));
    const occurrence = (await tx.db.$count(repayments, isRecord)) + 1;
    await postRepayment(tx, { publisherId, reference, occurrence, amount, accounts: locked });
    return { replayed: false };
  });
}

/** `owed` is the balance of the publisher's ledger account, in which a debit is what it owes. */
function requireAmount(amount: Cents, owed: Cents): void {
  if (amount > 0 && amount <= owed) return;
  const message =
    owed <= 0
      ? "The account owes nothing"
      : amount <= 0
        ? "Enter an amount greater than $0"
        : `The account owes ${formatCents(owed)}, so no more than that can be recorded`;
  throw invalidInput({ amount: [message] }, message);
}

import { eq } from "drizzle-orm";
import { accounts } from "#db/schema/index.ts";
import type { Ctx, OperatorActor } from "../../context.ts";
import { DomainError, invalidInput, notFound } from "../../errors.ts";
import type { AccountId } from "../../ids.ts";
import { asCents, type Cents, formatCents } from "../../money.ts";
import { inTransaction } from "../../transaction.server.ts";
import { type LockedLedgerAccounts, ledgerAccountKey, toAdvertiserFunds } from "../ledger/ledger-accounts.server.ts";
import { type BankTransfer, isRecorded, readTransferReference, type TransferOwner } from "./bank-transfer.ts";
import { lockBalance, postTransfer } from "./post-transfer.server.ts";
import { repaymentKind } from "./transfer-kinds.server.ts";

/**
 * Records that a publisher with a negative balance, or a closed advertiser with a debt, transferred money to us, once
 * per reference of the bank: a repetition changes nothing, unless the repayment was reversed. The balance is read after
 * the account's ledger accounts are locked, as for a payout, so that never more is recorded than is owed. Throws
 * `not_found`, `invalid_transition` for an advertiser that is not closed, `idempotency_conflict` when the reference was
 * recorded for another account or amount, and `invalid_input` for more than is owed.
 */
export async function recordRepayment(
  ctx: Ctx<OperatorActor>,
  { accountId, amount, ...input }: BankTransfer,
): Promise<{ replayed: boolean }> {
  const reference = readTransferReference(input.reference);
  return inTransaction(ctx, async (tx) => {
    const owner = await requireRepayingAccount(tx, accountId);
    const locked = await lockBalance(tx, owner);
    const records = await repaymentKind.list(tx, reference);
    if (isRecorded(records, { accountId, amount, reference })) return { replayed: true };
    requireAmount(amount, readDebt(owner, locked));
    const occurrence = records.length + 1;
    await postTransfer(tx, repaymentKind, { owner, reference, occurrence, amount, accounts: locked });
    return { replayed: false };
  });
}

/** An account is closed for good, so nothing has to be locked. */
async function requireRepayingAccount(ctx: Ctx, accountId: AccountId): Promise<TransferOwner> {
  const [account] = await ctx.db
    .select({ id: accounts.id, type: accounts.type, closedAt: accounts.closedAt })
    .from(accounts)
    .where(eq(accounts.id, accountId));
  if (!account) throw notFound("Account");
  if (account.type === "publisher" || account.closedAt) return account;
  throw new DomainError(
    "invalid_transition",
    "The account is not closed. Have it top up its wallet, or record that its invoice was paid, instead.",
  );
}

/** Returns what an account owes, in cents: the debit balance of its ledger accounts. */
function readDebt({ id: ownerId, type }: TransferOwner, locked: LockedLedgerAccounts): Cents {
  if (type === "publisher")
    return locked.get(ledgerAccountKey({ account: "publisher_payable", ownerId }))?.balance ?? asCents(0);
  const { wallet, owed } = toAdvertiserFunds(ownerId, locked);
  return asCents(owed - wallet);
}

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

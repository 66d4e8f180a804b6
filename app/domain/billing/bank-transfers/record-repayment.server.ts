import { and, eq } from "drizzle-orm";
import { accounts } from "#db/schema/index.ts";
import type { Ctx, OperatorActor } from "../../context.ts";
import { invalidInput, notFound } from "../../errors.ts";
import { asCents, type Cents, formatCents } from "../../money.ts";
import { inTransaction } from "../../transaction.server.ts";
import { ledgerAccountKey } from "../ledger/ledger-accounts.server.ts";
import { type BankTransfer, isRecorded, readTransferReference } from "./bank-transfer.ts";
import { lockBalance, postTransfer } from "./post-transfer.server.ts";
import { repaymentKind } from "./transfer-kinds.server.ts";

/**
 * Records that a publisher with a negative balance transferred money to us, once per reference of the bank: a repetition
 * changes nothing, unless the repayment was reversed. The balance is read after the publisher's ledger account is locked, as
 * for a payout, so that never more is recorded than is owed. Throws `not_found` for an account that is not a publisher,
 * `idempotency_conflict` when the reference was recorded for another account or amount, and `invalid_input` for more than is
 * owed.
 */
export async function recordRepayment(
  ctx: Ctx<OperatorActor>,
  { accountId, amount, ...input }: BankTransfer,
): Promise<{ replayed: boolean }> {
  const reference = readTransferReference(input.reference);
  return inTransaction(ctx, async (tx) => {
    const isPublisher = and(eq(accounts.id, accountId), eq(accounts.type, "publisher"));
    if ((await tx.db.$count(accounts, isPublisher)) === 0) throw notFound("Publisher");
    const owner = { id: accountId, type: "publisher" as const };
    const locked = await lockBalance(tx, owner);
    const records = await repaymentKind.list(tx, reference);
    if (isRecorded(records, { accountId, amount, reference })) return { replayed: true };
    const payable = locked.get(ledgerAccountKey({ account: "publisher_payable", ownerId: accountId }));
    requireAmount(amount, payable?.balance ?? asCents(0));
    const occurrence = records.length + 1;
    await postTransfer(tx, repaymentKind, { owner, reference, occurrence, amount, accounts: locked });
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

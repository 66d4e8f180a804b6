import { eq } from "drizzle-orm";
import { accounts } from "#db/schema/index.ts";
import { calendarDateOf } from "../../calendar-date.ts";
import type { Ctx, OperatorActor } from "../../context.ts";
import { DomainError, invalidInput, notFound } from "../../errors.ts";
import type { AccountId } from "../../ids.ts";
import { invariant } from "../../invariant.ts";
import { asCents, type Cents, formatCents } from "../../money.ts";
import { inTransaction } from "../../transaction.server.ts";
import { type LockedLedgerAccounts, ledgerAccountKey } from "../ledger/ledger-accounts.server.ts";
import { holdDays } from "../payouts/payout.ts";
import { sumAvailableEarnings } from "../payouts/unpaid-earnings.server.ts";
import { readFunds } from "../wallet/read-funds.server.ts";
import { type BankTransfer, isRecorded, readTransferReference, type TransferOwner } from "./bank-transfer.ts";
import { lockBalance, postTransfer } from "./post-transfer.server.ts";
import { balanceReturnKind } from "./transfer-kinds.server.ts";

/**
 * Records that we sent the balance of a closed account, or a part of it, back by bank transfer, once per reference of
 * the bank: a repetition changes nothing, unless the return was reversed. What can be returned is read after the ledger
 * accounts are locked, so that never more is recorded than is owed. Throws `not_found`, `invalid_transition` for an
 * account that is not closed, `idempotency_conflict` when the reference was recorded for another account or amount, and
 * `invalid_input` for more than can be returned.
 */
export async function recordBalanceReturn(
  ctx: Ctx<OperatorActor>,
  { accountId, amount, ...input }: BankTransfer,
): Promise<{ replayed: boolean }> {
  const reference = readTransferReference(input.reference);
  return inTransaction(ctx, async (tx) => {
    const owner = await requireClosedAccount(tx, accountId);
    const locked = await lockBalance(tx, owner);
    const records = await balanceReturnKind.list(tx, reference);
    if (isRecorded(records, { accountId, amount, reference })) return { replayed: true };
    requireAmount(amount, await readReturnable(tx, owner, locked));
    const occurrence = records.length + 1;
    await postTransfer(tx, balanceReturnKind, { owner, reference, occurrence, amount, accounts: locked });
    return { replayed: false };
  });
}

/** An account is closed for good, so nothing has to be locked. */
async function requireClosedAccount(ctx: Ctx, accountId: AccountId): Promise<TransferOwner> {
  const [account] = await ctx.db
    .select({ id: accounts.id, type: accounts.type, closedAt: accounts.closedAt })
    .from(accounts)
    .where(eq(accounts.id, accountId));
  if (!account) throw notFound("Account");
  if (account.closedAt) return account;
  const instead = account.type === "publisher" ? "Pay out its balance" : "Refund its top-ups";
  throw new DomainError("invalid_transition", `The account is not closed. ${instead} instead.`);
}

/** What the books say we owe an account, and what of it cannot be returned yet, in cents. */
type Returnable = { owed: Cents; kept: Cents; why: string };

/**
 * Returns what an account has, and what of it is kept: earnings that are held, because their reports can still be
 * restated, and the spend that was delivered and is not settled yet.
 */
async function readReturnable(
  ctx: Ctx,
  { id, type }: TransferOwner,
  locked: LockedLedgerAccounts,
): Promise<Returnable> {
  if (type === "publisher") {
    const payable = locked.get(ledgerAccountKey({ account: "publisher_payable", ownerId: id }))?.balance ?? 0;
    const available = await sumAvailableEarnings(ctx, { publisherId: id, day: calendarDateOf(ctx.clock()) });
    const kept = Math.min(-payable, -payable - available);
    return {
      owed: asCents(-payable || 0),
      kept: asCents(Math.max(0, kept)),
      why: `is held for ${holdDays} days after its settlement`,
    };
  }
  const funds = (await readFunds(ctx, [id])).get(id);
  invariant(funds, "advertiser has no funds row", { accountId: id });
  const [net, reserved] = [funds.wallet - funds.owed, Math.max(0, funds.unsettled)];
  return { owed: asCents(net), kept: asCents(Math.min(net, reserved)), why: "is reserved for unsettled spend" };
}

function requireAmount(amount: Cents, { owed, kept, why }: Returnable): void {
  if (amount > 0 && amount <= owed - kept) return;
  const ofWhich = kept > 0 ? `, of which ${formatCents(kept)} ${why}` : "";
  const message =
    owed <= 0
      ? "The account is owed nothing"
      : amount <= 0
        ? "Enter an amount greater than $0"
        : `The account is owed ${formatCents(owed)}${ofWhich}, so no more than ${formatCents(asCents(owed - kept))} can be recorded`;
  throw invalidInput({ amount: [message] }, message);
}

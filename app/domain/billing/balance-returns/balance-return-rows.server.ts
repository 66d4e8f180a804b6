import { and, eq, exists, isNull, not } from "drizzle-orm";
import { alias } from "drizzle-orm/pg-core";
import { balanceReturns, transactions } from "#db/schema/index.ts";
import type { AccountType } from "../../accounts/account.ts";
import { recordAudit } from "../../audit/record-audit.server.ts";
import type { Ctx, OperatorActor } from "../../context.ts";
import { type AccountId, type BalanceReturnId, newId, type TransactionId } from "../../ids.ts";
import { invariant } from "../../invariant.ts";
import { asCents, type Cents, centsToDollars } from "../../money.ts";
import type { LedgerLeg, LedgerPosting } from "../ledger/ledger.ts";
import { type LockedLedgerAccounts, lockLedgerAccounts, toAdvertiserFunds } from "../ledger/ledger-accounts.server.ts";
import { postToLedger } from "../ledger/post-to-ledger.server.ts";

/** A closed account whose balance is sent back. */
export type ClosedAccount = { id: AccountId; type: AccountType };

/**
 * Locks the ledger accounts that hold an account's balance, as payouts, settlements and payments lock them, and `cash`, with
 * which the returns of all accounts wait for each other.
 */
export async function lockBalance(ctx: Ctx, { id: ownerId, type }: ClosedAccount): Promise<LockedLedgerAccounts> {
  const kinds =
    type === "publisher" ? (["publisher_payable"] as const) : (["advertiser_wallet", "advertiser_receivable"] as const);
  return lockLedgerAccounts(ctx, [...kinds.map((account) => ({ account, ownerId })), { account: "cash" }]);
}

/** Returns the return that is recorded for a reference and not reversed. The caller holds the lock of `cash`. */
export async function findStandingReturn(ctx: Ctx, reference: string) {
  const reversal = alias(balanceReturns, "reversal");
  const isReversed = exists(
    ctx.db.select({ id: reversal.id }).from(reversal).where(eq(reversal.reversesId, balanceReturns.id)),
  );
  const isStanding = and(eq(balanceReturns.reference, reference), isNull(balanceReturns.reversesId), not(isReversed));
  const [standing] = await ctx.db.select().from(balanceReturns).where(isStanding);
  return standing;
}

type Posting = {
  owner: ClosedAccount;
  /** The bank's reference of the transfer. */
  reference: string;
  amount: Cents;
  occurrence: number;
  /** The return that is reversed; the amount is then negative. */
  reversesId?: BalanceReturnId;
  accounts: LockedLedgerAccounts;
};

/**
 * Inserts a return or a reversal, with its ledger entries, its transaction and its audit entry. What is in an advertiser's
 * wallet again pays its debt first, as an event of its own, like a top-up.
 */
export async function postBalanceReturn(
  tx: Ctx<OperatorActor>,
  { owner, reference, occurrence, reversesId, amount, accounts }: Posting,
): Promise<void> {
  const [id, createdAt] = [newId<BalanceReturnId>(), tx.clock()];
  const { id: accountId, type } = owner;
  const event = reversesId ? "balance_return_reversed" : "balance_returned";
  const eventKey = `${event}/${id}`;
  const account = type === "publisher" ? ("publisher_payable" as const) : ("advertiser_wallet" as const);
  const legs: LedgerLeg[] = [
    { account, ownerId: accountId, amount },
    { account: "cash", amount: asCents(-amount) },
  ];
  const debt = type === "advertiser" && amount < 0 ? settleDebt({ id, accountId, amount, accounts }) : [];
  const posted = await postToLedger(tx, { postings: [{ event, eventKey, legs }, ...debt], accounts });
  const ledgerTransactionId = posted.get(eventKey);
  invariant(ledgerTransactionId, "balance return was not posted", { id });
  const row = { reference, occurrence, reversesId: reversesId ?? null, amountCents: amount };
  await tx.db.insert(balanceReturns).values({ ...row, id, accountId, ledgerTransactionId, createdAt });
  await tx.db.insert(transactions).values({
    id: newId<TransactionId>(),
    accountId,
    type: "adjustment",
    status: "succeeded",
    description: `${reversesId ? "Reversed return of the balance" : "Balance returned"} by bank transfer, reference ${reference}`,
    // Transactions count a publisher's payments as positive, and an advertiser's as negative.
    amountCents: type === "publisher" ? amount : -amount,
    ledgerTransactionId,
    createdAt,
  });
  await recordAudit(tx, {
    action: reversesId ? "account.balance_return_reversed" : "account.balance_returned",
    entity: "account",
    entityId: accountId,
    accountId,
    after: { amount: centsToDollars(asCents(Math.abs(amount))), reference },
  });
}

type Reversal = { id: BalanceReturnId; accountId: AccountId; amount: Cents; accounts: LockedLedgerAccounts };

/** Returns the posting by which a wallet that a reversal fills pays the debt of its advertiser; none if there is no debt. */
function settleDebt({ id, accountId: ownerId, amount, accounts }: Reversal): LedgerPosting[] {
  const { wallet, owed } = toAdvertiserFunds(ownerId, accounts);
  const paid = Math.min(wallet - amount, owed);
  if (paid <= 0) return [];
  const legs: LedgerLeg[] = [
    { account: "advertiser_wallet", ownerId, amount: asCents(paid) },
    { account: "advertiser_receivable", ownerId, amount: asCents(-paid) },
  ];
  return [{ event: "receivable_settled", eventKey: `receivable_settled/${id}`, legs }];
}

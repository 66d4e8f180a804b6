import { transactions } from "#db/schema/index.ts";
import { recordAudit } from "../../audit/record-audit.server.ts";
import type { Ctx, OperatorActor } from "../../context.ts";
import { type AccountId, type BalanceReturnId, newId, type RepaymentId, type TransactionId } from "../../ids.ts";
import { invariant } from "../../invariant.ts";
import { asCents, type Cents, centsToDollars } from "../../money.ts";
import { debtPostings } from "../ledger/debt-posting.ts";
import type { LedgerLeg, LedgerPosting } from "../ledger/ledger.ts";
import { type LockedLedgerAccounts, lockLedgerAccounts, toAdvertiserFunds } from "../ledger/ledger-accounts.server.ts";
import { postToLedger } from "../ledger/post-to-ledger.server.ts";
import type { TransferOwner } from "./bank-transfer.ts";
import type { TransferKind } from "./transfer-kinds.server.ts";

/**
 * Locks the ledger accounts that hold an account's balance, as payouts, settlements and payments lock them, and `cash`,
 * with which the transfers of all accounts wait for each other.
 */
export async function lockBalance(ctx: Ctx, { id: ownerId, type }: TransferOwner): Promise<LockedLedgerAccounts> {
  const kinds =
    type === "publisher" ? (["publisher_payable"] as const) : (["advertiser_wallet", "advertiser_receivable"] as const);
  return lockLedgerAccounts(ctx, [...kinds.map((account) => ({ account, ownerId })), { account: "cash" }]);
}

type Posting<Id> = {
  owner: TransferOwner;
  /** The bank's reference of the transfer. */
  reference: string;
  amount: Cents;
  occurrence: number;
  /** The transfer that is reversed; the amount is then negative. */
  reversesId?: Id;
  accounts: LockedLedgerAccounts;
};

/**
 * Inserts a transfer or a reversal, with its ledger entries, its transaction and its audit entry. An advertiser's
 * repayment reduces its debt, and open invoices with it. What is in its wallet again pays its debt first, as an event
 * of its own, like a top-up.
 */
export async function postTransfer<Id extends RepaymentId | BalanceReturnId>(
  tx: Ctx<OperatorActor>,
  kind: TransferKind<Id>,
  { owner, reference, occurrence, reversesId, amount, accounts }: Posting<Id>,
): Promise<void> {
  const { id: accountId, type } = owner;
  const { event, action, description } = reversesId ? kind.reversed : kind.recorded;
  const [id, createdAt] = [newId<Id>(), tx.clock()];
  const received = asCents(kind.direction === "received" ? amount : -amount);
  const eventKey = `${event}/${id}`;
  const { legs, debt } =
    type === "publisher"
      ? { legs: [{ account: "publisher_payable" as const, ownerId: accountId, amount: asCents(-received) }], debt: [] }
      : postingsOfAdvertiser(id, { accountId, received, direction: kind.direction, accounts });
  const cash = { account: "cash" as const, amount: received };
  const posted = await postToLedger(tx, { postings: [{ event, eventKey, legs: [...legs, cash] }, ...debt], accounts });
  const ledgerTransactionId = posted.get(eventKey);
  invariant(ledgerTransactionId, "bank transfer was not posted", { eventKey });
  await kind.insert(tx, {
    id,
    accountId,
    accountType: type,
    reference,
    occurrence,
    reversesId: reversesId ?? null,
    amountCents: amount,
    ledgerTransactionId,
    createdAt,
  });
  await tx.db.insert(transactions).values({
    id: newId<TransactionId>(),
    accountId,
    type: "adjustment",
    status: "succeeded",
    description: `${description}, reference ${reference}`,
    // Transactions count what a publisher receives as positive, and an advertiser's payments.
    amountCents: type === "publisher" ? -received : received,
    ledgerTransactionId,
    createdAt,
  });
  const after = { amount: centsToDollars(asCents(Math.abs(amount))), reference };
  await recordAudit(tx, { action, entity: "account", entityId: accountId, accountId, after });
}

/**
 * Returns the entries of an advertiser's transfer, and the postings by which what is in its wallet again pays its debt.
 * `received` is negative for what left us. A reversed repayment is charged to the wallet first, like a reversed
 * payment, so that no advertiser has both a balance and a debt. Pure.
 */
function postingsOfAdvertiser(
  transferId: string,
  {
    accountId: ownerId,
    received,
    direction,
    accounts,
  }: Pick<TransferKind<unknown>, "direction"> & {
    accountId: AccountId;
    received: Cents;
    accounts: LockedLedgerAccounts;
  },
): { legs: LedgerLeg[]; debt: LedgerPosting[] } {
  const { wallet, owed } = toAdvertiserFunds(ownerId, accounts);
  const charged = received < 0 ? Math.min(-received, wallet) : direction === "sent" ? -received : 0;
  const legs: LedgerLeg[] = [
    { account: "advertiser_wallet", ownerId, amount: asCents(charged) },
    { account: "advertiser_receivable", ownerId, amount: asCents(-received - charged) },
  ];
  const left = { wallet: asCents(wallet - charged), owed };
  const debt = charged < 0 ? debtPostings(ownerId, left, transferId) : [];
  return { legs: legs.filter(({ amount }) => amount !== 0), debt };
}

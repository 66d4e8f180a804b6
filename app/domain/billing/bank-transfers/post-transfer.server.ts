import { transactions } from "#db/schema/index.ts";
import { recordAudit } from "../../audit/record-audit.server.ts";
import type { Ctx, OperatorActor } from "../../context.ts";
import { type BalanceReturnId, newId, type RepaymentId, type TransactionId } from "../../ids.ts";
import { invariant } from "../../invariant.ts";
import { asCents, type Cents, centsToDollars } from "../../money.ts";
import { debtPostings } from "../ledger/debt-posting.ts";
import type { LedgerLeg } from "../ledger/ledger.ts";
import { type LockedLedgerAccounts, lockLedgerAccounts, toAdvertiserFunds } from "../ledger/ledger-accounts.server.ts";
import { postToLedger } from "../ledger/post-to-ledger.server.ts";
import type { TransferOwner } from "./bank-transfer.ts";
import type { TransferKind } from "./transfer-kinds.server.ts";

/**
 * Locks the ledger accounts that hold an account's balance, as payouts, settlements and payments lock them, and `cash`, with
 * which the transfers of all accounts wait for each other.
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
 * Inserts a transfer or a reversal, with its ledger entries, its transaction and its audit entry. What is in an advertiser's
 * wallet again pays its debt first, as an event of its own, like a top-up.
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
  const account = type === "publisher" ? ("publisher_payable" as const) : ("advertiser_wallet" as const);
  const legs: LedgerLeg[] = [
    { account, ownerId: accountId, amount: asCents(-received) },
    { account: "cash", amount: received },
  ];
  const { wallet, owed } = toAdvertiserFunds(accountId, accounts);
  const left = { wallet: asCents(wallet + received), owed };
  const debt = type === "advertiser" && received > 0 ? debtPostings(accountId, left, id) : [];
  const posted = await postToLedger(tx, { postings: [{ event, eventKey, legs }, ...debt], accounts });
  const ledgerTransactionId = posted.get(eventKey);
  invariant(ledgerTransactionId, "bank transfer was not posted", { eventKey });
  await kind.insert(tx, {
    id,
    accountId,
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

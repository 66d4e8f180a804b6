import { and, eq, isNull, sql } from "drizzle-orm";
import { z } from "zod";
import { columnValue, sqlValue } from "#db/query-rows.server.ts";
import { accounts, balanceReturns, repayments } from "#db/schema/index.ts";
import type { AccountType } from "../../accounts/account.ts";
import type { Ctx } from "../../context.ts";
import type { AccountId, BalanceReturnId, LedgerTransactionId, RepaymentId } from "../../ids.ts";
import type { LedgerEvent } from "../ledger/ledger.ts";
import { repaymentDescription, repaymentReversalDescription } from "../payouts/payout.ts";
import type { TransferRecord } from "./bank-transfer.ts";

/** A transfer, or its reversal with the negative amount, as it is stored. */
type TransferRow<Id> = {
  id: Id;
  accountId: AccountId;
  accountType: AccountType;
  reference: string;
  occurrence: number;
  /** The transfer that this row reverses. */
  reversesId: Id | null;
  amountCents: number;
  ledgerTransactionId: LedgerTransactionId;
  createdAt: Date;
};

/** What the ledger, the audit trail and the account's transactions call a transfer or a reversal. */
type TransferNames = { event: LedgerEvent; action: string; description: string };

/** A kind of bank transfer that operators record: where it is stored, and what it is called. */
export type TransferKind<Id> = {
  /** What an error calls it. */
  name: string;
  /** Whether the account sent us the money, or we the account. */
  direction: "received" | "sent";
  recorded: TransferNames;
  reversed: TransferNames;
  /**
   * Lists the transfers that are recorded for a reference, each after the one before. The caller holds the lock of
   * `cash`.
   */
  list: (ctx: Ctx, reference: string) => Promise<TransferRecord<Id>[]>;
  insert: (ctx: Ctx, row: TransferRow<Id>) => Promise<unknown>;
};

export type TransferTable = typeof repayments | typeof balanceReturns;

/** The account that made a repayment. */
const repaidBy = sqlValue(
  columnValue(accounts.id),
  sql`coalesce(${repayments.publisherId}, ${repayments.advertiserId})`,
);

const isRecordOf = (table: TransferTable, reference: string) =>
  and(eq(table.reference, reference), isNull(table.reversesId));

/** The table stands before the column because drizzle drops the table of a column that it selects from one table. */
const isReversed = (table: TransferTable) =>
  sqlValue(z.boolean(), sql`exists (select from ${table} reversal where reversal.reverses_id = ${table}.id)`);

/** What publishers with a negative balance, and closed advertisers with a debt, transfer to us. */
export const repaymentKind: TransferKind<RepaymentId> = {
  name: "Repayment",
  direction: "received",
  recorded: { event: "repayment", action: "account.repaid", description: repaymentDescription },
  reversed: {
    event: "repayment_reversed",
    action: "account.repayment_reversed",
    description: repaymentReversalDescription,
  },
  list: (ctx, reference) => {
    const { id, amountCents, occurrence } = repayments;
    return ctx.db
      .select({ id, accountId: repaidBy, amountCents, occurrence, isReversed: isReversed(repayments) })
      .from(repayments)
      .where(isRecordOf(repayments, reference))
      .orderBy(occurrence);
  },
  insert: (ctx, { accountId, accountType, ...row }) => {
    const owner = accountType === "publisher" ? { publisherId: accountId } : { advertiserId: accountId };
    return ctx.db.insert(repayments).values({ ...row, ...owner });
  },
};

/** What we transfer to closed accounts that are still owed money. */
export const balanceReturnKind: TransferKind<BalanceReturnId> = {
  name: "Return of the balance",
  direction: "sent",
  recorded: {
    event: "balance_returned",
    action: "account.balance_returned",
    description: "Balance returned by bank transfer",
  },
  reversed: {
    event: "balance_return_reversed",
    action: "account.balance_return_reversed",
    description: "Reversed return of the balance by bank transfer",
  },
  list: (ctx, reference) => {
    const { id, accountId, amountCents, occurrence } = balanceReturns;
    return ctx.db
      .select({ id, accountId, amountCents, occurrence, isReversed: isReversed(balanceReturns) })
      .from(balanceReturns)
      .where(isRecordOf(balanceReturns, reference))
      .orderBy(occurrence);
  },
  insert: (ctx, { accountType: _, ...row }) => ctx.db.insert(balanceReturns).values(row),
};

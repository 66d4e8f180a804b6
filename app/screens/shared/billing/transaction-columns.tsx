import type { Transaction } from "#app/domain/billing/list-transactions.server.ts";
import { transactionTypeLabels } from "#app/domain/billing/transaction.ts";
import { formatDate } from "#app/domain/calendar-date.ts";
import { formatCents } from "#app/domain/money.ts";
import type { Column } from "#app/ui/table.tsx";
import { MoneyStatus } from "./money-status.tsx";

/** What happened, when, how it stands, and the amount as the account reads it. */
export const transactionColumns: Column<Transaction>[] = [
  {
    head: "Description",
    wide: true,
    cell: ({ description, type }) => (
      <>
        <strong>{description}</strong>
        <small>{transactionTypeLabels[type]}</small>
      </>
    ),
  },
  {
    head: "Date",
    cell: ({ createdAt }) => (
      <time className="whitespace-nowrap" dateTime={createdAt.toISOString()}>
        {formatDate(createdAt)}
      </time>
    ),
  },
  { head: "Status", cell: ({ status }) => <MoneyStatus status={status} /> },
  { head: "Amount", right: true, cell: ({ amount }) => formatCents(amount) },
];

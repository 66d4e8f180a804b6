import type { AccountType } from "#app/domain/accounts/account.ts";
import { describeAdjustment } from "#app/domain/billing/adjustment.ts";
import type { Transaction } from "#app/domain/billing/list-transactions.server.ts";
import { signedAmount, type TransactionSort, transactionTypeLabels } from "#app/domain/billing/transaction.ts";
import { formatDate } from "#app/domain/calendar-date.ts";
import { formatSignedCents } from "#app/domain/money.ts";
import { type PortalBase, portalHref } from "#app/portal/portal-href.ts";
import type { Column } from "#app/ui/table/column.ts";
import { RowTitle } from "#app/ui/table/row-title.tsx";
import { type ListSort, sortLink } from "#app/ui/table/sort-link.ts";
import { BillingStatusBadge } from "./billing-status-badge.tsx";

/**
 * The columns of transactions: description, time, status, and the amount signed as on the account's statements. Their
 * heads sort the list where there is one. Spend and refunds lead to their campaign, a pending top-up to its page.
 */
export function transactionColumns(
  base: PortalBase,
  side: AccountType,
  list?: ListSort<TransactionSort>,
): Column<Transaction>[] {
  return [
    {
      header: "Description",
      place: "title",
      wraps: true,
      cell: ({ description, type, adjustsMonth, createdAt, pendingTopUpId, spentOn }) => (
        <RowTitle
          name={description}
          to={
            spentOn
              ? portalHref(base, `/campaigns/${spentOn.campaignId}`)
              : pendingTopUpId
                ? portalHref(base, `/billing/top-ups/${pendingTopUpId}`)
                : undefined
          }
          detail={
            (adjustsMonth ? describeAdjustment(adjustsMonth) : transactionTypeLabels[type]) +
            (spentOn ? ` · ${spentOn.publisherName}` : "")
          }
          narrowDetail={formatDate(createdAt)}
        />
      ),
    },
    {
      header: "Date",
      sort: list && sortLink(list, { descending: "newest", ascending: "oldest" }),
      priority: 1,
      cell: ({ createdAt }) => (
        <time className="whitespace-nowrap" dateTime={createdAt.toISOString()}>
          {formatDate(createdAt)}
        </time>
      ),
    },
    { header: "Status", place: "status", cell: ({ status }) => <BillingStatusBadge status={status} /> },
    {
      header: "Amount",
      sort: list && sortLink(list, { descending: "amount", ascending: "amount_low" }),
      place: "amount",
      align: "right",
      cell: (row) => formatSignedCents(signedAmount(row, side)),
    },
  ];
}

import { type InvoiceSort, invoiceStatusLabels } from "#app/domain/billing/invoices/invoice.ts";
import type { Invoice } from "#app/domain/billing/invoices/list-invoices.server.ts";
import { formatDate } from "#app/domain/calendar-date.ts";
import { calendarMonthOf, formatMonth } from "#app/domain/calendar-month.ts";
import { formatCents } from "#app/domain/money.ts";
import { type PortalBase, portalHref } from "#app/portal/portal-href.ts";
import { BillingStatusBadge } from "#app/screens/shared/billing/billing-status-badge.tsx";
import type { Column } from "#app/ui/table/column.ts";
import { RowTitle } from "#app/ui/table/row-title.tsx";
import { type ListSort, sortLink } from "#app/ui/table/sort-link.ts";

export function invoiceColumns(base: PortalBase, list: ListSort<InvoiceSort>): Column<Invoice>[] {
  return [
    {
      header: "Invoice",
      place: "title",
      cell: ({ id, number, month, amount, open }) => (
        <RowTitle
          name={number}
          to={portalHref(base, `/billing/invoices/${id}`)}
          detail={formatInvoiceMonth(month)}
          narrowDetail={open > 0 && open < amount ? `${formatCents(open)} due` : undefined}
        />
      ),
    },
    {
      header: "Issued",
      sort: sortLink(list, { descending: "newest", ascending: "oldest" }),
      priority: 2,
      cell: ({ issuedAt }) => (
        <time className="whitespace-nowrap" dateTime={issuedAt.toISOString()}>
          {formatDate(issuedAt)}
        </time>
      ),
    },
    {
      header: "Due",
      sort: sortLink(list, { descending: "due", ascending: "due_first" }),
      priority: 1,
      cell: ({ dueOn }) => (
        <time className="whitespace-nowrap" dateTime={dueOn}>
          {formatDate(dueOn)}
        </time>
      ),
    },
    {
      header: "Status",
      place: "status",
      cell: ({ status }) => <BillingStatusBadge status={status} label={invoiceStatusLabels[status]} />,
    },
    {
      header: "Amount due",
      sort: sortLink(list, { descending: "open" }),
      align: "right",
      priority: 3,
      cell: ({ open }) => formatCents(open),
    },
    {
      header: "Amount",
      sort: sortLink(list, { descending: "amount" }),
      place: "amount",
      align: "right",
      cell: ({ amount }) => <strong>{formatCents(amount)}</strong>,
    },
  ];
}

/** Formats the month of its first day, such as `November 2026`. */
export function formatInvoiceMonth(firstDay: string): string {
  return formatMonth(calendarMonthOf(new Date(`${firstDay}T00:00:00Z`)));
}

import { Link } from "@remix-run/react";
import { invoiceStatusLabels } from "#app/domain/billing/invoices/invoice.ts";
import type { Invoice } from "#app/domain/billing/invoices/list-invoices.server.ts";
import { formatDate } from "#app/domain/calendar-date.ts";
import { calendarMonthOf, formatMonth } from "#app/domain/calendar-month.ts";
import { formatCents } from "#app/domain/money.ts";
import { type PortalBase, portalHref } from "#app/portal/href.ts";
import { MoneyStatus } from "#app/screens/shared/billing/money-status.tsx";
import type { Column } from "#app/ui/table.tsx";

export function invoiceColumns(base: PortalBase): Column<Invoice>[] {
  return [
    {
      head: "Invoice",
      wide: true,
      cell: ({ id, number, month }) => (
        <>
          <Link className="link" to={portalHref(base, `/billing/invoices/${id}`)}>
            <strong>{number}</strong>
          </Link>
          <small>{monthOf(month)}</small>
        </>
      ),
    },
    {
      head: "Issued",
      cell: ({ issuedAt }) => (
        <time className="whitespace-nowrap" dateTime={issuedAt.toISOString()}>
          {formatDate(issuedAt)}
        </time>
      ),
    },
    {
      head: "Due",
      cell: ({ dueOn }) => (
        <time className="whitespace-nowrap" dateTime={dueOn}>
          {formatDate(dueOn)}
        </time>
      ),
    },
    { head: "Status", cell: ({ status }) => <MoneyStatus status={status} label={invoiceStatusLabels[status]} /> },
    { head: "Amount", right: true, cell: ({ amount }) => formatCents(amount) },
    { head: "Open", right: true, cell: ({ open }) => <strong>{formatCents(open)}</strong> },
  ];
}

/** `November 2026`, of its first day. */
export function monthOf(firstDay: string): string {
  return formatMonth(calendarMonthOf(new Date(`${firstDay}T00:00:00Z`)));
}

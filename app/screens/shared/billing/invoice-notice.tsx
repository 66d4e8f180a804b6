import type { InvoiceSummary } from "#app/domain/billing/invoices/list-invoices.server.ts";
import { formatDate } from "#app/domain/calendar-date.ts";
import { formatCents } from "#app/domain/money.ts";
import { type PortalBase, portalHref } from "#app/portal/portal-href.ts";
import { Link } from "#app/ui/link.tsx";
import { Notice } from "#app/ui/notice.tsx";

/** Names the invoice that is due next or overdue; renders nothing if none is open. */
export function InvoiceNotice({ base, invoices }: { base: PortalBase; invoices: InvoiceSummary }) {
  const { first, open } = invoices;
  if (!first) return null;
  const link = (
    <Link className="link" to={portalHref(base, `/billing/invoices/${first.id}`)}>
      {first.number}
    </Link>
  );
  const more = open > first.open ? ` Total due on all your invoices: ${formatCents(open)}.` : "";
  return first.status === "overdue" ? (
    <Notice tone="bad" title={`An invoice is overdue since ${formatDate(first.dueOn)}`}>
      {formatCents(first.open)} is still due on {link}. Pay it now.{more}
    </Notice>
  ) : (
    <Notice title={`${formatCents(first.open)} is due on ${formatDate(first.dueOn)}`}>
      Amount due on {link}.{more}
    </Notice>
  );
}

import { Link } from "@remix-run/react";
import type { InvoiceSummary } from "#app/domain/billing/invoices/list-invoices.server.ts";
import { formatDate } from "#app/domain/calendar-date.ts";
import { formatCents } from "#app/domain/money.ts";
import { type PortalBase, portalHref } from "#app/portal/href.ts";
import { Notice } from "#app/ui/notice.tsx";

/** Says which invoice is due first, or is overdue; nothing while none is open. */
export function InvoiceNotice({ base, invoices }: { base: PortalBase; invoices: InvoiceSummary }) {
  const { first, open } = invoices;
  if (!first) return null;
  const link = (
    <Link className="link" to={portalHref(base, `/billing/invoices/${first.id}`)}>
      {first.number}
    </Link>
  );
  const more = open > first.open ? ` On all your invoices ${formatCents(open)} is open.` : "";
  return first.status === "overdue" ? (
    <Notice tone="bad" title={`An invoice was due on ${formatDate(first.dueOn)}`}>
      {formatCents(first.open)} of {link} is open.{more}
    </Notice>
  ) : (
    <Notice title={`${formatCents(first.open)} is due on ${formatDate(first.dueOn)}`}>
      It is what is open of {link}.{more}
    </Notice>
  );
}

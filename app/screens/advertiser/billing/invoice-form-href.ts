import type { InvoiceId, PaymentMethodId, TopUpId } from "#app/domain/ids.ts";
import { type PortalBase, portalHref } from "#app/portal/portal-href.ts";

/** Returns the page of an invoice whose form has the card of a payment that failed, and says why it failed. */
export function invoiceFormHref(
  base: PortalBase,
  { id, method, payment }: { id: InvoiceId; method: PaymentMethodId; payment: TopUpId },
): `/${string}` {
  return portalHref(base, `/billing/invoices/${id}?${new URLSearchParams({ method, payment })}`);
}

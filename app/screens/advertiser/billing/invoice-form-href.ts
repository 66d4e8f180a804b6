import type { InvoiceId } from "#app/domain/ids.ts";
import { type PortalBase, portalHref } from "#app/portal/portal-href.ts";

/** Returns the page of an invoice with the card of a payment that failed. */
export function invoiceFormHref(base: PortalBase, { id, method }: { id: InvoiceId; method: string }): `/${string}` {
  return portalHref(base, `/billing/invoices/${id}?${new URLSearchParams({ method })}`);
}

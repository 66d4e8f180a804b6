import type { PaymentMethodId, TopUpId } from "#app/domain/ids.ts";
import { type Cents, centsToDollars } from "#app/domain/money.ts";
import { withNext } from "#app/portal/detour.ts";
import { type PortalBase, portalHref } from "#app/portal/portal-href.ts";

/** Returns the form of a top-up with what a failed one was for, which says why it failed. */
export function topUpFormHref(
  base: PortalBase,
  {
    amount,
    method,
    payment,
    next,
  }: { amount: Cents; method: PaymentMethodId; payment: TopUpId; next: string | undefined },
): string {
  const query = new URLSearchParams({ amount: String(centsToDollars(amount)), method, payment });
  return withNext(portalHref(base, `/billing/top-up?${query}`), next);
}

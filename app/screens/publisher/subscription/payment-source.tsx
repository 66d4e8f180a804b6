import type { PaymentMethod } from "#app/domain/billing/payment-methods/list-payment-methods.server.ts";
import { methodName } from "#app/domain/billing/payment-methods/payment-method.ts";
import { type Cents, formatCents } from "#app/domain/money.ts";
import { type PortalBase, portalHref } from "#app/portal/portal-href.ts";
import { AddPaymentMethodForm } from "#app/screens/shared/billing/add-payment-method-form.tsx";
import { PaymentsUnavailable } from "#app/screens/shared/billing/payments-unavailable.tsx";
import type { PlanFundingState } from "#app/screens/shared/billing/plan-funding-card.tsx";
import { Link } from "#app/ui/link.tsx";
import { Notice } from "#app/ui/notice.tsx";

/** The payment method that is charged, and a link to change it. */
function PaymentMethodLabel({ base, method }: { base: PortalBase; method: PaymentMethod }) {
  return (
    <>
      <span className="whitespace-nowrap">{methodName(method)}</span>{" "}
      <Link className="link" to={portalHref(base, "/billing?tab=methods")}>
        Change
      </Link>
    </>
  );
}

type PayFromProps = { base: PortalBase; method: PaymentMethod | null; funding: PlanFundingState; amount: Cents };

/** What the plan is paid from: the earnings if selected and sufficient, otherwise the payment method. */
export function PaymentSource({ base, method, funding, amount }: PayFromProps) {
  const { payFrom, available } = funding;
  const isNetted = payFrom === "earnings" && available >= amount;
  const has = `${formatCents(available)} available`;
  return (
    <>
      {isNetted ? `Your earnings (${has}) ` : null}
      {isNetted ? (
        <Link className="link" to={portalHref(base, "/billing?tab=subscription")}>
          Change
        </Link>
      ) : method ? (
        <PaymentMethodLabel base={base} method={method} />
      ) : null}
      {payFrom === "earnings" && !isNetted ? <small>Your earnings ({has}) don't cover this payment</small> : null}
    </>
  );
}

/** Shown if there is nothing to pay with: no payment provider, no payment method, or an expired default. */
export function PaymentMethodRequired({
  base,
  method,
  paymentsEnabled,
}: {
  base: PortalBase;
  method: PaymentMethod | null;
  /** Whether a payment provider is configured. */
  paymentsEnabled: boolean;
}) {
  if (!paymentsEnabled) return <PaymentsUnavailable />;
  return (
    <Notice tone="warn" title={method ? `${methodName(method)} has expired` : "No payment methods"}>
      {method ? (
        <p>
          Add another payment method or{" "}
          <Link className="link" to={portalHref(base, "/billing?tab=methods")}>
            choose a new default
          </Link>
          .
        </p>
      ) : (
        <p>You come back to this page.</p>
      )}
      <div className="mt-3">
        <AddPaymentMethodForm base={base} isMain />
      </div>
    </Notice>
  );
}

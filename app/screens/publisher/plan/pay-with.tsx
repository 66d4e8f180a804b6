import { Link } from "@remix-run/react";
import type { PaymentMethod } from "#app/domain/billing/payments/list-payment-methods.server.ts";
import { methodName } from "#app/domain/billing/payments/payment-method.ts";
import { type Cents, formatCents } from "#app/domain/money.ts";
import { type PortalBase, portalHref } from "#app/portal/href.ts";
import { PaymentsNotSetUp } from "#app/screens/shared/billing/payments-not-set-up.tsx";
import type { Funding } from "#app/screens/shared/billing/plan-funding-card.tsx";
import { Notice } from "#app/ui/notice.tsx";

/** The way to pay that is charged, and where another is chosen. */
export function PayWith({ base, method }: { base: PortalBase; method: PaymentMethod }) {
  return (
    <>
      {methodName(method)}{" "}
      <Link className="link" to={portalHref(base, "/billing?tab=methods")}>
        Change
      </Link>
    </>
  );
}

type PayFromProps = { base: PortalBase; method: PaymentMethod | null; funding: Funding; amount: Cents };

/** What pays: the earnings where that is chosen and they cover it, else the method. */
export function PayFrom({ base, method, funding, amount }: PayFromProps) {
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
        <PayWith base={base} method={method} />
      ) : null}
      {payFrom === "earnings" && !isNetted ? <small>Your earnings ({has}) do not cover it</small> : null}
    </>
  );
}

/** There is nothing to pay with: nobody takes payments, none was added, or the default has expired. */
export function NothingToPayWith({
  base,
  method,
  setUp,
}: {
  base: PortalBase;
  method: PaymentMethod | null;
  /** Somebody takes payments here. */
  setUp: boolean;
}) {
  if (!setUp) return <PaymentsNotSetUp />;
  return (
    <Notice tone="warn" title={method ? `${methodName(method)} has expired` : "No payment methods"}>
      <Link className="link" to={portalHref(base, "/billing?tab=methods")}>
        {method ? "Add another, or make another the default" : "Add a payment method"}
      </Link>{" "}
      first, then come back here.
    </Notice>
  );
}

import { Form } from "@remix-run/react";
import { CreditCard, Plus } from "lucide-react";
import type { PaymentMethod } from "#app/domain/billing/payments/list-payment-methods.server.ts";
import { addedElsewhere, methodName } from "#app/domain/billing/payments/payment-method.ts";
import { formatDate } from "#app/domain/calendar-date.ts";
import { type PortalBase, portalHref } from "#app/portal/href.ts";
import { Badge } from "#app/ui/badge.tsx";
import { Button, LinkButton } from "#app/ui/button.tsx";
import { Card, EmptyState } from "#app/ui/layout.tsx";
import { type Column, DataTable } from "#app/ui/table.tsx";
import { PaymentsNotSetUp } from "./payments-not-set-up.tsx";

/** The account's ways to pay. Cards are typed at the payment provider's, never here. */
export function PaymentMethodsTab({
  base,
  loaded: { methods },
  setUp,
}: {
  base: PortalBase;
  loaded: { methods: readonly PaymentMethod[] };
  /** Somebody takes payments here. */
  setUp: boolean;
}) {
  const add = setUp ? (
    <Form method="post" action={portalHref(base, "/billing/payment-methods/add")} reloadDocument>
      <Button variant={methods.length === 0 ? "primary" : "secondary"} icon={Plus}>
        Add payment method
      </Button>
    </Form>
  ) : null;
  if (methods.length === 0 && setUp) {
    return (
      <Card>
        <EmptyState icon={CreditCard} title="No payment methods" action={add}>
          Add a payment method to start using the platform
        </EmptyState>
      </Card>
    );
  }
  return (
    <div className="stack">
      {setUp ? null : <PaymentsNotSetUp />}
      {methods.length > 0 ? (
        <Card title="Payment Methods" aside={add} flush>
          <DataTable
            caption="Payment methods"
            columns={columnsOf(setUp)}
            rows={methods}
            actions={(method) => <Actions base={base} method={method} />}
          />
        </Card>
      ) : null}
    </div>
  );
}

const columnsOf = (setUp: boolean): Column<PaymentMethod>[] => [
  {
    head: "Card",
    wide: true,
    cell: (method) => (
      <>
        <span className="chips">
          <strong>{methodName(method)}</strong>
          {method.isDefault ? <Badge tone="good">Default</Badge> : null}
          {method.expired ? <Badge tone="bad">Expired</Badge> : null}
        </span>
        {setUp && !method.usable ? <small>{addedElsewhere}</small> : null}
      </>
    ),
  },
  {
    head: "Expires",
    cell: ({ expiresMonth, expiresYear }) => `${String(expiresMonth).padStart(2, "0")}/${expiresYear}`,
  },
  { head: "Added", cell: ({ createdAt }) => <time dateTime={createdAt.toISOString()}>{formatDate(createdAt)}</time> },
];

function Actions({ base, method }: { base: PortalBase; method: PaymentMethod }) {
  return (
    <div className="actions justify-end">
      {method.isDefault || !method.usable ? null : (
        <Form method="post">
          <input type="hidden" name="payment_method_id" value={method.id} />
          <Button variant="ghost" aria-label={`Make ${methodName(method)} the default`}>
            Make default
          </Button>
        </Form>
      )}
      <LinkButton to={portalHref(base, `/billing/payment-methods/${method.id}/remove`)} variant="ghost">
        Remove<span className="sr-only"> {methodName(method)}</span>
      </LinkButton>
    </div>
  );
}

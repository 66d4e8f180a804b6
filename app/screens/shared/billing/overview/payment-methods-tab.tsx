import type { PaymentMethod } from "#app/domain/billing/payment-methods/list-payment-methods.server.ts";
import { methodName, otherProviderMessage } from "#app/domain/billing/payment-methods/payment-method.ts";
import { formatDate } from "#app/domain/calendar-date.ts";
import { type PortalBase, portalHref } from "#app/portal/portal-href.ts";
import { AddPaymentMethodForm } from "#app/screens/shared/billing/add-payment-method-form.tsx";
import { PaymentsUnavailable } from "#app/screens/shared/billing/payments-unavailable.tsx";
import { Badge } from "#app/ui/badge.tsx";
import { Button, LinkButton } from "#app/ui/button.tsx";
import { Form } from "#app/ui/link.tsx";
import { Card, EmptyState } from "#app/ui/page-header.tsx";
import type { Column } from "#app/ui/table/column.ts";
import { DataTable } from "#app/ui/table/data-table.tsx";

/** The account's payment methods. Card numbers are entered on the payment provider's page, never here. */
export function PaymentMethodsTab({
  base,
  loaded: { methods },
  paymentsEnabled,
}: {
  base: PortalBase;
  loaded: { methods: readonly PaymentMethod[] };
  /** Whether a payment provider is configured. */
  paymentsEnabled: boolean;
}) {
  const add = paymentsEnabled ? <AddPaymentMethodForm base={base} isMain={methods.length === 0} /> : null;
  if (methods.length === 0 && paymentsEnabled) {
    return (
      <Card>
        <EmptyState icon="credit-card" title="No payment methods" action={add}>
          Add a payment method to start using the platform
        </EmptyState>
      </Card>
    );
  }
  return (
    <div className="stack">
      {paymentsEnabled ? null : <PaymentsUnavailable />}
      {methods.length > 0 ? (
        <Card title="Payment Methods" aside={add} flush>
          <DataTable
            caption="Payment methods"
            columns={columnsOf(paymentsEnabled)}
            rows={methods}
            rowName={methodName}
            actionsWidth={230}
            actions={(method) => <Actions base={base} method={method} />}
            hasOneAction={(method) => !canMakeDefault(method)}
          />
        </Card>
      ) : null}
    </div>
  );
}

const columnsOf = (paymentsEnabled: boolean): Column<PaymentMethod>[] => [
  {
    header: "Card",
    place: "title",
    width: 240,
    cell: (method) => (
      <>
        <span className="chips">
          <strong>{methodName(method)}</strong>
          {method.isDefault ? <Badge tone="good">Default</Badge> : null}
          {method.expired ? <Badge tone="bad">Expired</Badge> : null}
        </span>
        {paymentsEnabled && !method.usable ? <small>{otherProviderMessage}</small> : null}
      </>
    ),
  },
  {
    header: "Expires",
    place: "amount",
    width: 90,
    cell: ({ expiresMonth, expiresYear }) => `${String(expiresMonth).padStart(2, "0")}/${expiresYear}`,
  },
  {
    header: "Added",
    priority: 1,
    cell: ({ createdAt }) => <time dateTime={createdAt.toISOString()}>{formatDate(createdAt)}</time>,
  },
];

const canMakeDefault = (method: PaymentMethod) => !method.isDefault && method.usable;

function Actions({ base, method }: { base: PortalBase; method: PaymentMethod }) {
  return (
    <>
      {canMakeDefault(method) ? (
        <Form method="post" preventScrollReset>
          <input type="hidden" name="payment_method_id" value={method.id} />
          <Button variant="ghost" aria-label={`Make ${methodName(method)} the default`}>
            Make default
          </Button>
        </Form>
      ) : null}
      <LinkButton to={portalHref(base, `/billing/payment-methods/${method.id}/remove`)} variant="ghost">
        Remove<span className="sr-only"> {methodName(method)}</span>
      </LinkButton>
    </>
  );
}

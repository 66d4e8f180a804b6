import type { PaymentMethod } from "#app/domain/billing/payment-methods/list-payment-methods.server.ts";
import { methodName } from "#app/domain/billing/payment-methods/payment-method.ts";
import type { PortalBase } from "#app/portal/portal-href.ts";
import { AddPaymentMethodForm } from "#app/screens/shared/billing/add-payment-method-form.tsx";
import { ChoiceField } from "#app/ui/field.tsx";
import { Card, EmptyState } from "#app/ui/page-header.tsx";

/** Selects the card to charge; before one is chosen, the first that has not expired. */
export function PaymentMethodField({
  methods,
  chosen,
  errors,
}: {
  methods: readonly PaymentMethod[];
  /** The ID of the chosen one; may be empty. */
  chosen: string;
  errors: readonly string[] | undefined;
}) {
  const selected = chosen || methods.find(({ expired }) => !expired)?.id;
  return (
    <ChoiceField
      type="radio"
      variant="rows"
      name="payment_method_id"
      label="Payment method"
      required
      selected={selected ? [selected] : []}
      options={methods.map((method) => ({
        value: method.id,
        label: methodName(method),
        hint: [method.isDefault ? "Default" : "", method.expired ? "Expired" : `Expires ${expiry(method)}`]
          .filter(Boolean)
          .join(" · "),
      }))}
      errors={errors}
    />
  );
}

function expiry({ expiresMonth, expiresYear }: PaymentMethod): string {
  return `${String(expiresMonth).padStart(2, "0")}/${expiresYear}`;
}

/** Shown if the account has no payment method. */
export function NoPaymentMethods({ base }: { base: PortalBase }) {
  return (
    <Card>
      <EmptyState icon="credit-card" title="No payment methods" action={<AddPaymentMethodForm base={base} isMain />}>
        Add a payment method to start using the platform
      </EmptyState>
    </Card>
  );
}

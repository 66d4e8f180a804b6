import { CreditCard } from "lucide-react";
import type { PaymentMethod } from "#app/domain/billing/payments/list-payment-methods.server.ts";
import { methodName } from "#app/domain/billing/payments/payment-method.ts";
import { type PortalBase, portalHref } from "#app/portal/href.ts";
import { LinkButton } from "#app/ui/button.tsx";
import { ChoiceField } from "#app/ui/field.tsx";
import { Card, EmptyState } from "#app/ui/layout.tsx";

/** By which of the account's cards is paid. */
export function MethodChoice({
  methods,
  chosen,
  errors,
}: {
  methods: readonly PaymentMethod[];
  chosen: string | undefined;
  errors: readonly string[] | undefined;
}) {
  return (
    <ChoiceField
      type="radio"
      look="rows"
      name="payment_method_id"
      label="Payment method"
      required
      chosen={chosen ? [chosen] : []}
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

/** Nothing to pay with yet. */
export function NoMethods({ base }: { base: PortalBase }) {
  return (
    <Card>
      <EmptyState
        icon={CreditCard}
        title="No payment methods"
        action={
          <LinkButton to={portalHref(base, "/billing?tab=methods")} variant="primary">
            Payment Methods
          </LinkButton>
        }
      >
        Add a payment method to start using the platform
      </EmptyState>
    </Card>
  );
}

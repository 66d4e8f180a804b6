import { useLocation } from "@remix-run/react";
import { withNext } from "#app/portal/detour.ts";
import { type PortalBase, portalHref } from "#app/portal/portal-href.ts";
import { Button } from "#app/ui/button.tsx";
import { Form } from "#app/ui/link.tsx";

/** Opens the provider's page for a payment method, which comes back to this one. */
export function AddPaymentMethodForm({ base, isMain }: { base: PortalBase; isMain: boolean }) {
  const { pathname, search } = useLocation();
  const to = withNext(portalHref(base, "/billing/payment-methods/add"), pathname + search);
  return (
    <Form method="post" action={to}>
      <Button variant={isMain ? "primary" : "secondary"} icon="plus">
        Add payment method
      </Button>
    </Form>
  );
}

import { z } from "zod";
import { getPaymentMethod } from "#app/domain/billing/payment-methods/list-payment-methods.server.ts";
import { methodName } from "#app/domain/billing/payment-methods/payment-method.ts";
import { setDefaultPaymentMethod } from "#app/domain/billing/payment-methods/set-default-payment-method.server.ts";
import type { Ctx, TenantActor } from "#app/domain/context.ts";
import { idSchema, type PaymentMethodId } from "#app/domain/ids.ts";
import { type PortalBase, portalHref } from "#app/portal/portal-href.ts";
import { redirectWithFlash } from "#app/web/flash.server.ts";
import { handleFields } from "#app/web/forms/form.server.ts";
import { billingQuery } from "./billing-search.ts";

const choiceSchema = z.object({ payment_method_id: idSchema<PaymentMethodId>() });

/** Handles the button that makes a payment method the default. */
export function handleSetDefaultPaymentMethod(
  ctx: Ctx<TenantActor>,
  { form, base }: { form: FormData; base: PortalBase },
) {
  return handleFields(ctx, form, choiceSchema, async ({ payment_method_id: id }) => {
    await setDefaultPaymentMethod(ctx, { id });
    const message = `${methodName(await getPaymentMethod(ctx, id))} is now your default payment method`;
    return redirectWithFlash(portalHref(base, `/billing${billingQuery({ tab: "methods" })}`), {
      tone: "success",
      message,
    });
  });
}

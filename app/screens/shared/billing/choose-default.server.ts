import { z } from "zod";
import { chooseDefaultMethod } from "#app/domain/billing/payments/choose-default-method.server.ts";
import { getPaymentMethod } from "#app/domain/billing/payments/list-payment-methods.server.ts";
import { methodName } from "#app/domain/billing/payments/payment-method.ts";
import type { Ctx, TenantActor } from "#app/domain/context.ts";
import { idSchema, type PaymentMethodId } from "#app/domain/ids.ts";
import { type PortalBase, portalHref } from "#app/portal/href.ts";
import { redirectWithFlash } from "#app/web/flash.server.ts";
import { submitFields } from "#app/web/form.server.ts";
import { billingQuery } from "./billing-search.ts";

const choiceSchema = z.object({ payment_method_id: idSchema<PaymentMethodId>() });

/** The button of a payment method in the list. */
export function chooseDefault(ctx: Ctx<TenantActor>, { form, base }: { form: FormData; base: PortalBase }) {
  return submitFields(form, choiceSchema, async ({ payment_method_id: id }) => {
    await chooseDefaultMethod(ctx, { id });
    const message = `${methodName(await getPaymentMethod(ctx, id))} is the default now.`;
    return redirectWithFlash(portalHref(base, `/billing${billingQuery({ tab: "methods" })}`), {
      tone: "success",
      message,
    });
  });
}

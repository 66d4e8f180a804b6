import { choosePlanFunding } from "#app/domain/billing/subscription/choose-plan-funding.server.ts";
import { planFundingSchema } from "#app/domain/billing/subscription/plan-payloads.ts";
import type { Ctx, PublisherActor } from "#app/domain/context.ts";
import { type PortalBase, portalHref } from "#app/portal/href.ts";
import { redirectWithFlash } from "#app/web/flash.server.ts";
import { submitFields } from "#app/web/form.server.ts";
import { billingQuery } from "./billing-search.ts";

/** The form of the subscription tab that says what the plan is paid from. */
export function chooseFunding(ctx: Ctx<PublisherActor>, { form, base }: { form: FormData; base: PortalBase }) {
  return submitFields(form, planFundingSchema, async ({ pay_from: payFrom }) => {
    await choosePlanFunding(ctx, { payFrom });
    const message =
      payFrom === "earnings"
        ? "Your plan is paid from your earnings from now on, as far as they cover it."
        : "Your plan is paid with your payment method from now on.";
    return redirectWithFlash(portalHref(base, `/billing${billingQuery({ tab: "subscription" })}`), {
      tone: "success",
      message,
    });
  });
}

import { planFundingSchema } from "#app/domain/billing/subscription/plan-payloads.ts";
import { setPlanFunding } from "#app/domain/billing/subscription/set-plan-funding.server.ts";
import type { Ctx, PublisherActor } from "#app/domain/context.ts";
import { type PortalBase, portalHref } from "#app/portal/portal-href.ts";
import { redirectWithFlash } from "#app/web/flash.server.ts";
import { handleFields } from "#app/web/forms/form.server.ts";
import { billingQuery } from "./billing-search.ts";

/** Handles the form of the subscription tab that selects what the plan is paid from. */
export function handleSetPlanFunding(ctx: Ctx<PublisherActor>, { form, base }: { form: FormData; base: PortalBase }) {
  return handleFields(ctx, form, planFundingSchema, async ({ pay_from: payFrom }) => {
    await setPlanFunding(ctx, { payFrom });
    const message =
      payFrom === "earnings"
        ? "Your plan is now paid from your earnings when they cover the full amount."
        : "Your plan is now charged to your payment method.";
    return redirectWithFlash(portalHref(base, `/billing${billingQuery({ tab: "subscription" })}`), {
      tone: "success",
      message,
    });
  });
}

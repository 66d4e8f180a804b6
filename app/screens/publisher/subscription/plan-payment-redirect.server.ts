import { redirect } from "@remix-run/node";
import { plans } from "#app/domain/billing/plan.ts";
import type { PlanChangeResult } from "#app/domain/billing/subscription/finish-plan-change.server.ts";
import { notCompletedMessage } from "#app/domain/billing/wallet/top-up.ts";
import { withNext } from "#app/portal/detour.ts";
import { type PortalBase, portalHref } from "#app/portal/portal-href.ts";
import { redirectWithFlash } from "#app/web/flash.server.ts";

/**
 * Redirects after a plan payment: to the bank's confirmation, the pending payment, the page that the
 * detour began on or else the thank-you screen, or back to the form, which says why the payment failed.
 */
export function redirectAfterPayment(done: PlanChangeResult, base: PortalBase, next?: string) {
  const tab = portalHref(base, "/billing?tab=subscription");
  if (done.status === "needs_confirmation" && done.confirmUrl) return redirect(done.confirmUrl);
  if (done.status === "pending" || done.status === "needs_confirmation")
    return redirect(planPaymentHref(base, done.id, next));
  if (done.status !== "succeeded") {
    const form = done.kind === "renewal" ? "pay" : `plans/${done.planType}`;
    const page = portalHref(base, `/billing/subscription/${form}?payment=${done.id}`);
    return redirectWithFlash(withNext(page, next), { tone: "error", message: done.failure ?? notCompletedMessage });
  }
  if (done.kind === "renewal") {
    const message = `${plans[done.planType].label} plan paid`;
    return redirectWithFlash(next ?? tab, { tone: "success", message });
  }
  if (next) return redirectWithFlash(next, { tone: "success", message: `${plans[done.planType].label} plan active` });
  const thankYou = "/thank-you/subscription";
  return redirect(base.endsWith("/test-mode") ? portalHref(base, thankYou) : thankYou);
}

/** Returns the return URL of a bank's confirmation. */
export function planPaymentHref(base: PortalBase, id: string, next?: string): `/${string}` {
  return withNext(portalHref(base, `/billing/subscription/payments/${id}`), next);
}

import { redirect } from "@remix-run/node";
import { plans } from "#app/domain/billing/plan.ts";
import type { FinishedChange } from "#app/domain/billing/subscription/finish-plan-change.server.ts";
import { type PortalBase, portalHref } from "#app/portal/href.ts";
import { redirectWithFlash } from "#app/web/flash.server.ts";

/** Where somebody goes to whose plan is paid, or not: the bank's page, the payment's, the thank-you screen, or back with a word. */
export function answerPayment(done: FinishedChange, base: PortalBase) {
  const tab = portalHref(base, "/billing?tab=subscription");
  if (done.status === "needs_confirmation" && done.confirmUrl) return redirect(done.confirmUrl);
  if (done.status === "pending" || done.status === "needs_confirmation") return redirect(paymentPage(base, done.id));
  if (done.status !== "succeeded") {
    const message = done.failure ?? "Nothing was charged.";
    return redirectWithFlash(tab, { tone: "error", message });
  }
  if (done.kind === "renewal") {
    const message = `Your ${plans[done.planType].label} plan is paid.`;
    return redirectWithFlash(tab, { tone: "success", message });
  }
  const thankYou = "/thank-you/subscription";
  return redirect(base.endsWith("/test-mode") ? portalHref(base, thankYou) : thankYou);
}

/** Where somebody comes back to who was asked to confirm. */
export function paymentPage(base: PortalBase, id: string): `/${string}` {
  return portalHref(base, `/billing/subscription/payments/${id}`);
}

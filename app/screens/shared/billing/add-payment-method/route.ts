import { type ActionFunctionArgs, type LoaderFunctionArgs, redirect } from "@remix-run/node";
import { addPaymentMethod } from "#app/domain/billing/payment-methods/add-payment-method.server.ts";
import { getPaymentMethod } from "#app/domain/billing/payment-methods/list-payment-methods.server.ts";
import { methodName } from "#app/domain/billing/payment-methods/payment-method.ts";
import { startPaymentMethodSetup } from "#app/domain/billing/payment-methods/start-payment-method-setup.server.ts";
import { DomainError } from "#app/domain/errors.ts";
import { detourNext, withNext } from "#app/portal/detour.ts";
import { type PortalBase, portalHref } from "#app/portal/portal-href.ts";
import { requireCurrentPortalAccess } from "#app/portal/require-portal-access.server.ts";
import { billingQuery } from "#app/screens/shared/billing/overview/billing-search.ts";
import { redirectWithFlash } from "#app/web/flash.server.ts";

/**
 * The return URL of the provider's page, with `setup` identifying the session; stores the payment method that was added
 * there, once.
 */
export async function loader({ request, context }: LoaderFunctionArgs) {
  const { ctx, base } = await requireCurrentPortalAccess(request, context);
  const back = detourNext(request.url, base) ?? methodsHref(base);
  const token = new URL(request.url).searchParams.get("setup");
  if (!token) return redirect(back);
  try {
    const { id } = await addPaymentMethod(ctx, { token });
    const method = await getPaymentMethod(ctx, id);
    return redirectWithFlash(back, { tone: "success", message: `${methodName(method)} added` });
  } catch (error) {
    return flashDomainError(back, error);
  }
}

/** Redirects to the provider's page. */
export async function action({ request, context }: ActionFunctionArgs) {
  const { ctx, base } = await requireCurrentPortalAccess(request, context);
  const next = detourNext(request.url, base);
  const back = next ?? methodsHref(base);
  try {
    const returnPath = withNext(portalHref(base, "/billing/payment-methods/add"), next);
    return redirect((await startPaymentMethodSetup(ctx, { returnPath, cancelPath: back })).url);
  } catch (error) {
    return flashDomainError(back, error);
  }
}

function methodsHref(base: PortalBase) {
  return portalHref(base, `/billing${billingQuery({ tab: "methods" })}`);
}

function flashDomainError(back: string, error: unknown) {
  if (!(error instanceof DomainError)) throw error;
  const message = error.code === "invalid_input" ? "No payment method was added. Try again." : error.message;
  return redirectWithFlash(back, { tone: "error", message });
}

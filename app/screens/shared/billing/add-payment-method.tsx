import { type ActionFunctionArgs, type LoaderFunctionArgs, redirect } from "@remix-run/node";
import { addPaymentMethod } from "#app/domain/billing/payments/add-payment-method.server.ts";
import { beginPaymentMethod } from "#app/domain/billing/payments/begin-payment-method.server.ts";
import { getPaymentMethod } from "#app/domain/billing/payments/list-payment-methods.server.ts";
import { methodName } from "#app/domain/billing/payments/payment-method.ts";
import { DomainError } from "#app/domain/errors.ts";
import { enterThisPortal } from "#app/portal/enter-portal.server.ts";
import { portalHref } from "#app/portal/href.ts";
import { redirectWithFlash } from "#app/web/flash.server.ts";
import { billingQuery } from "./billing-search.ts";

/** Where the provider's page comes back to, with `setup` naming the visit: what was added there is taken, once. */
export async function loader({ request, context }: LoaderFunctionArgs) {
  const { ctx, base } = await enterThisPortal(request, context);
  const list = portalHref(base, `/billing${billingQuery({ tab: "methods" })}`);
  const token = new URL(request.url).searchParams.get("setup");
  if (!token) return redirect(list);
  try {
    const { id } = await addPaymentMethod(ctx, { token });
    const method = await getPaymentMethod(ctx, id);
    return redirectWithFlash(list, { tone: "success", message: `${methodName(method)} is added.` });
  } catch (error) {
    return sayWhy(list, error);
  }
}

/** Opens the provider's page. */
export async function action({ request, context }: ActionFunctionArgs) {
  const { ctx, base } = await enterThisPortal(request, context);
  const list = portalHref(base, `/billing${billingQuery({ tab: "methods" })}`);
  try {
    const returnPath = portalHref(base, "/billing/payment-methods/add");
    return redirect((await beginPaymentMethod(ctx, { returnPath, cancelPath: list })).url);
  } catch (error) {
    return sayWhy(list, error);
  }
}

function sayWhy(list: string, error: unknown) {
  if (!(error instanceof DomainError)) throw error;
  const message = error.code === "invalid_input" ? "No payment method was added." : error.message;
  return redirectWithFlash(list, { tone: "error", message });
}

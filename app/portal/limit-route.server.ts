import type { ActionFunctionArgs, AppLoadContext, LoaderFunctionArgs } from "@remix-run/node";
import type { Viewer } from "#app/domain/accounts/viewer.ts";
import { DomainError } from "#app/domain/errors.ts";
import { env } from "#app/env.server.ts";
import { errorScreenHeader } from "#app/web/error-screen-header.ts";
import { markFormRejected } from "#app/web/forms/field-gate.ts";
import type { CostClass, Payer } from "#app/web/rate-limits/budgets.ts";
import { payersOfViewer } from "#app/web/rate-limits/payers.ts";
import { spendBudgets } from "#app/web/rate-limits/spend-budgets.server.ts";
import { routeCostOf } from "./route-costs.ts";
import { findViewer } from "./viewer.server.ts";

type Args = LoaderFunctionArgs | ActionFunctionArgs;

/**
 * What each request has already been charged for: a page has several loaders, and a submitted form shows its page
 * without another charge.
 */
const paid = new WeakMap<object, Map<CostClass | "form", Promise<void>>>();

/**
 * Charges the rate limit before a route's loader or action runs. Throws 429 with a message; for forms that keep their
 * values, the response is marked so that the page shows the form again.
 */
export async function limitRoute(routeId: string, handler: "loader" | "action", args: Args): Promise<void> {
  if (!env().rateLimits) return;
  const { load, act, keepsValues } = routeCostOf(routeId);
  const cost = handler === "loader" ? load : act;
  const known = paid.get(args.context) ?? new Map<CostClass | "form", Promise<void>>();
  paid.set(args.context, known);
  if (!cost || (handler === "loader" && known.has("form"))) return;
  const paying = known.get(cost) ?? pay(cost, handler, args);
  known.set(cost, paying);
  try {
    await paying;
    if (handler === "action") known.set("form", paying);
  } catch (error) {
    if (!(error instanceof DomainError)) throw error;
    const { retryAfterSeconds } = error;
    // The 503 page has its own retry hint.
    if (error.code === "rate_limited") args.context.setHeaders?.({ "Retry-After": String(retryAfterSeconds) });
    if (handler === "action" && keepsValues && error.code === "rate_limited")
      return markFormRejected(args.request, error.message);
    if (handler === "action") args.context.setHeaders?.({ [errorScreenHeader]: "1" });
    throw rejectionReason(error, handler === "action" ? " Nothing was changed. Go back to send it again." : "");
  }
}

async function pay(cost: CostClass, handler: "loader" | "action", { request, context }: Args): Promise<void> {
  const viewer = await findPayer(request, context, handler);
  const address: Payer = { kind: "address", id: context.clientAddress };
  await spendBudgets(context, cost, viewer && cost !== "sign_in" ? payersOfViewer(viewer) : [address]);
}

/** If the database is down, the request is anonymous, and the page's own loader reports the outage. */
async function findPayer(
  request: Request,
  context: AppLoadContext,
  handler: "loader" | "action",
): Promise<Viewer | undefined> {
  try {
    return await findViewer(request, context);
  } catch (error) {
    if (handler === "action") throw error;
    return undefined;
  }
}

function rejectionReason({ code, message }: DomainError, advice: string): Response {
  const headers = { "Content-Type": "text/plain; charset=utf-8" };
  return code === "rate_limited"
    ? new Response(message + advice, { status: 429, statusText: "Too Many Requests", headers })
    : new Response(message, { status: 503, statusText: "Service Unavailable", headers });
}

import type { AppLoadContext } from "@remix-run/node";
import type { CostClass } from "#app/web/rate-limits/budgets.ts";
import type { RequestHead } from "#app/web/request-head.ts";
import { type ApiResponse, apiResponse } from "./api-response.ts";
import type { Endpoint } from "./endpoint.ts";
import { costOfCall } from "./endpoint-costs.ts";
import { endpoints } from "./endpoints.ts";
import { toErrorResponse } from "./error-response.server.ts";
import { limitCall } from "./limit-endpoint.server.ts";
import { Problem } from "./problem.ts";
import { createRouteMatcher, type RouteMatch } from "./route-matcher.ts";

type Row = { call: Endpoint; cost: CostClass; name: string };

const rows = Object.entries(endpoints).map(([name, call]): [string, Row] => [
  name,
  { call, cost: costOfCall(name), name },
]);
const match = createRouteMatcher<Row>(Object.fromEntries(rows));

/**
 * A call as the server receives it. `toRequest` returns the same request each time; a call without a body needs none.
 */
export type IncomingCall = { head: RequestHead; toRequest: () => Request };

/** Handles one API request. Every error becomes a response. */
export async function handleApiRequest(call: IncomingCall, context: AppLoadContext): Promise<ApiResponse> {
  try {
    return await perform(call, context);
  } catch (error) {
    return toErrorResponse(error, context);
  }
}

async function perform({ head, toRequest }: IncomingCall, context: AppLoadContext): Promise<ApiResponse> {
  const routeMatch = match(new URL(head.url).pathname);
  if (!routeMatch) throw new Problem("not_found", "No such endpoint. See /api/openapi.json.");
  const headers = new Headers();
  if (head.method === "OPTIONS")
    return { status: 204, headers: new Headers({ Allow: allowed(routeMatch) }), body: null };
  const requestMethod = head.method === "HEAD" ? "GET" : head.method;
  const [, row] = [...routeMatch.rows].find(([method]) => method === requestMethod) ?? [];
  if (!row) throw new Problem("method_not_allowed", "Method not allowed", { Allow: allowed(routeMatch) });
  context.setRoute?.(row.name.slice(row.name.indexOf(" ") + 1));
  const apiRequest = { head, toRequest, context, headers };
  await limitCall(apiRequest, { cost: row.cost, access: row.call.access });
  const { status, body } = await row.call.perform(apiRequest, routeMatch.params);
  if (head.method !== "HEAD") return apiResponse({ status, body, headers });
  if (typeof body !== "string") body.destroy();
  return apiResponse({ status, body: null, headers });
}

function allowed({ rows }: RouteMatch<Row>): string {
  return [...rows.keys()]
    .flatMap((method) => (method === "GET" ? ["GET", "HEAD"] : [method]))
    .concat("OPTIONS")
    .join(", ");
}

import type { AppLoadContext } from "@remix-run/node";
import type { CostClass } from "#app/web/rate-limits/budgets.ts";
import type { Call } from "./call.server.ts";
import { costOfCall } from "./call-costs.ts";
import { calls } from "./calls.ts";
import { answerError } from "./error-answer.server.ts";
import { type Answer, jsonAnswer } from "./json-answer.ts";
import { limitCall } from "./limit-call.server.ts";
import { type Match, matcherOf } from "./matcher.ts";
import { Problem } from "./problem.ts";

type Row = { call: Call; cost: CostClass };

const rows = Object.entries(calls).map(([name, call]): [string, Row] => [name, { call, cost: costOfCall(name) }]);
const match = matcherOf<Row>(Object.fromEntries(rows));

/** Answers one call, whatever it is: what goes wrong becomes an answer too. */
export async function answerCall(request: Request, context: AppLoadContext): Promise<Answer> {
  try {
    return await perform(request, context);
  } catch (error) {
    return answerError(error, context);
  }
}

async function perform(request: Request, context: AppLoadContext): Promise<Answer> {
  const found = match(new URL(request.url).pathname);
  if (!found) throw new Problem("not_found", "There is no such call");
  const headers = new Headers();
  if (request.method === "OPTIONS") return { status: 204, headers: new Headers({ Allow: allowed(found) }), body: null };
  const wanted = request.method === "HEAD" ? "GET" : request.method;
  const [, row] = [...found.rows].find(([method]) => method === wanted) ?? [];
  if (!row) throw new Problem("method_not_allowed", "This method is not allowed", { Allow: allowed(found) });
  const visit = { request, context, headers };
  await limitCall(visit, { cost: row.cost, caller: row.call.caller });
  const { status, body } = await row.call.perform(visit, found.params);
  if (request.method !== "HEAD") return jsonAnswer({ status, body, headers });
  if (typeof body !== "string") body.destroy();
  return jsonAnswer({ status, body: null, headers });
}

function allowed({ rows }: Match<Row>): string {
  return [...rows.keys()]
    .flatMap((method) => (method === "GET" ? ["GET", "HEAD"] : [method]))
    .concat("OPTIONS")
    .join(", ");
}

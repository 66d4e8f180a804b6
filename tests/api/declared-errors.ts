import { expect } from "vitest";
import { z } from "zod";
import type { Endpoint } from "#app/api/endpoint.ts";
import { endpointErrors } from "#app/api/endpoint-errors.ts";
import { endpoints } from "#app/api/endpoints.ts";
import { createRouteMatcher } from "#app/api/route-matcher.ts";

const rows = Object.entries(endpoints).map(([name, endpoint]: [string, Endpoint]) => [
  name,
  { name, codes: endpointErrors(name, endpoint).map(({ status, code }) => `${status} ${code}`) },
]);
const match = createRouteMatcher<{ name: string; codes: string[] }>(Object.fromEntries(rows));
const errorBody = z.object({ error: z.object({ code: z.string() }) });

/** Expects an error response to be one of those that the description of its endpoint has. */
export async function expectDeclaredError(request: Request, response: Response): Promise<void> {
  if (response.status < 400 || response.status === 405) return;
  const found = match(new URL(request.url).pathname)?.rows;
  const [, row] = [...(found ?? [])].find(([method]) => method === request.method) ?? [];
  if (!row) return;
  const { error } = errorBody.parse(await response.clone().json());
  expect(row.codes, row.name).toContain(`${response.status} ${error.code}`);
}

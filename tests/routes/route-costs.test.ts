import { beforeAll, describe, expect, test } from "vitest";
import { endpointCosts } from "#app/api/endpoint-costs.ts";
import { endpoints } from "#app/api/endpoints.ts";
import { costNameOf, routeCostOf, routeCosts } from "#app/portal/route-costs.ts";
import { markFormRejected } from "#app/web/forms/field-gate.ts";
import { useDatabase } from "#tests/support/database/database.ts";
import { useStandIn } from "#tests/support/stand-in.ts";
import { makeRouteVisits, moduleOf, type RouteVisits, routeTable } from "./route-visits.ts";

const db = useDatabase();
useStandIn();
let visits: RouteVisits;
beforeAll(async () => {
  visits = await makeRouteVisits(db());
});

test("every endpoint has a cost, and no other entry exists", () => {
  expect(Object.keys(endpointCosts).sort()).toEqual(Object.keys(endpoints).sort());
});

test("every route has a cost, and no other entry exists", () => {
  const names = new Set(["root", ...routeTable.map(({ id }) => costNameOf(id))]);
  expect(Object.keys(routeCosts).sort()).toEqual([...names].sort());
});

test("every loader and every form has a cost", async () => {
  const free: string[] = [];
  for (const { id, file } of routeTable) {
    if (file === "api/route.ts") continue;
    const module = await moduleOf(file);
    const { load, act } = routeCostOf(id);
    if (typeof module.loader === "function" && !load) free.push(`${id}: loader`);
    if (typeof module.action === "function" && !act) free.push(`${id}: action`);
  }
  expect(free).toEqual([]);
});

const keeping = routeTable.filter(({ id, path }) => routeCostOf(id).keepsValues && !path.includes("/test-mode"));

const typed = { type: "application/x-www-form-urlencoded", bytes: Buffer.from("name=Typed&intent=save") };
const part = (name: string, content: string) =>
  `--b\r\nContent-Disposition: form-data; name="${name}\r\n\r\n${content}\r\n`;
const withFile = {
  type: "multipart/form-data; boundary=b",
  bytes: Buffer.from(`${part('name"', "Typed")}${part('file"; filename="people.csv"', "a@example.org")}--b--\r\n`),
};

describe("a rate-limited form", () => {
  test.each(keeping)("of $path is parsed and shown again with a message, and not processed", async ({ path, file }) => {
    const word = "Too many requests. Try again in 7 seconds.";
    const as = path === "/register" ? "newcomer" : path.startsWith("/publisher/") ? "harbor" : "northwind";
    // The last request has a file, which is not stored.
    const body = path.endsWith("/audiences/create") ? withFile : typed;
    const before = (request: Request) => markFormRejected(request, word);
    const query = path === "/register" ? "?type=publisher" : path.endsWith("/selected") ? "?intent=delete&of=all" : "";
    const response = await visits.call(file, { path: path + query, handler: "action", as, body, before });
    expect([response.status, response.location]).toEqual([429, null]);
    expect(response.body).toMatchObject({ error: { "": [word] } });
  });
});

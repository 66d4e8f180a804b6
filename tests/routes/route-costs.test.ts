import { beforeAll, describe, expect, test } from "vitest";
import { callCosts } from "#app/api/call-costs.ts";
import { calls } from "#app/api/calls.ts";
import { costNameOf, routeCostOf, routeCosts } from "#app/portal/route-costs.ts";
import { refuseForm } from "#app/web/field-gate.ts";
import { useDatabase } from "#tests/support/database.ts";
import { useStandIn } from "#tests/support/stand-in.ts";
import { makeRouteVisits, moduleOf, type RouteVisits, routeTable } from "./route-visits.ts";

const db = useDatabase();
useStandIn();
let visits: RouteVisits;
beforeAll(async () => {
  visits = await makeRouteVisits(db());
});

test("every call has a cost, and no other has", () => {
  expect(Object.keys(callCosts).sort()).toEqual(Object.keys(calls).sort());
});

test("every route has a cost, and no other has", () => {
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

const keeping = routeTable.filter(({ id, path }) => routeCostOf(id).keeps && !path.includes("/test-mode"));

const typed = { type: "application/x-www-form-urlencoded", bytes: Buffer.from("name=Typed&intent=save") };
const part = (name: string, content: string) =>
  `--b\r\nContent-Disposition: form-data; name="${name}\r\n\r\n${content}\r\n`;
const withFile = {
  type: "multipart/form-data; boundary=b",
  bytes: Buffer.from(`${part('name"', "Typed")}${part('file"; filename="people.csv"', "a@example.org")}--b--\r\n`),
};

describe("a refused form", () => {
  test.each(keeping)("of $path is read and given back with a word, and not taken", async ({ path, file }) => {
    const word = "Too many requests. Try again in 7 seconds.";
    const as = path === "/register" ? "newcomer" : path.startsWith("/publisher/") ? "harbor" : "northwind";
    // The last has a file, which is not kept.
    const body = path.endsWith("/audiences/create") ? withFile : typed;
    const before = (request: Request) => refuseForm(request, word);
    const query = path === "/register" ? "?type=publisher" : path.endsWith("/selected") ? "?intent=delete&of=all" : "";
    const answer = await visits.call(file, { path: path + query, handler: "action", as, body, before });
    expect([answer.status, answer.location]).toEqual([429, null]);
    expect(answer.body).toMatchObject({ error: { "": [word] } });
  });
});

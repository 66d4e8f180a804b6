import { describe, expect, test } from "vitest";
import * as report from "#app/screens/shared/reports/create/route.tsx";
import * as view from "#app/screens/shared/views/save/route.tsx";
import { savedViews } from "#db/schema/index.ts";
import { useWorld, visit } from "../publisher/portal.ts";

const world = useWorld();
const forms = [
  ["a report", report, "/advertiser/reports/create"],
  ["a view", view, "/advertiser/views/save"],
] as const;

describe.each(forms)("the form that saves %s", (_, { loader, action }, path) => {
  async function open(query: string): Promise<{ query: string; checks: object }> {
    const address = `${path}?${new URLSearchParams({ list: "analytics", query })}`;
    const { status, body } = await visit(world(), "northwind", loader, address);
    expect(status).toBe(200);
    return body as { query: string; checks: object };
  }

  test("has the same checks for every query, because the process keeps them", async () => {
    const { checks } = await open("channel=dv360");
    expect(Object.keys(checks)).toEqual(["name"]);
    expect((await open("channel=meta")).checks).toBe(checks);
  });

  test("says that a query is too long, instead of saving another one", async () => {
    const long = `category=${encodeURIComponent("\u0436".repeat(255))}`;
    const { query } = await open(long);
    expect(query).toBe(long);
    const { status, body } = await visit(world(), "northwind", action, path, {
      form: { list: "analytics", name: "Long", query },
    });
    expect([status, JSON.stringify(body)]).toEqual([
      422,
      expect.stringContaining("This list has too many filters to be saved as a view"),
    ]);
    expect(await world().db.$count(savedViews)).toBe(0);
  });
});

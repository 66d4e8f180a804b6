import { createElement } from "react";
import { beforeAll, describe, expect, it } from "vitest";
import { isFuture, isReversed } from "#app/domain/analytics/period.ts";
import { parseCalendarDate } from "#app/domain/calendar-date.ts";
import { AnalyticsFilterForm } from "#app/screens/shared/analytics/analytics-filter-form.tsx";
import * as exported from "#app/screens/shared/analytics/export.ts";
import * as screen from "#app/screens/shared/analytics/route.tsx";
import { database } from "#db/client.server.ts";
import { rateLimits } from "#db/schema/index.ts";
import { demoUserId } from "#db/seed/demo-accounts.ts";
import { clientOf, origin, send } from "#tests/api/api.ts";
import { deliverAnything, readFacts } from "#tests/domain/analytics/delivered-world.ts";
import { expectedRows, expectedTotals } from "#tests/domain/analytics/expected.ts";
import { renderInRouter } from "#tests/support/render-in-router.ts";
import { useEnvironment } from "#tests/support/use-environment.ts";
import { messageOf, useWorld, visit } from "../publisher/portal.ts";

const world = useWorld();
const sides = [
  ["advertiser", "northwind"],
  ["publisher", "harbor"],
] as const;
const year = "range=custom&from=2024-03-01&to=2025-02-28";
const period = { from: "2024-03-01", to: "2025-02-28" } as const;

useEnvironment({ RATE_LIMITS: "on" });
beforeAll(async () => {
  await world().aRunningCampaign();
  await world().aRunningCampaign({ changes: { name: "=Second" } });
  const rows = Array.from({ length: 300 }, (_, n): [number, number, number, number, number] => [
    n,
    n * 7,
    n,
    50 * n,
    7_777 * n,
  ]);
  await deliverAnything(world().db, rows);
});

type Loaded = Awaited<ReturnType<typeof screen.loader>>;
async function load(portal: string, who: "northwind" | "harbor", query: string): Promise<Loaded> {
  const { status, body } = await visit(world(), who, screen.loader, `/${portal}/analytics?${query}`);
  expect(status).toBe(200);
  return body as Loaded;
}

describe.each(sides)("the analytics of an %s", (portal, who) => {
  it("show the sums of the facts on cards, in charts and in the table", async () => {
    const facts = await readFacts(world().db);
    const account = world().accountId(who);
    for (const group of ["campaign", "audience", "channel", "day"] as const) {
      const query = { account, period: period as never, filters: {} };
      const loaded = await load(portal, who, `${year}&group=${group}&metric=Spend`);
      const total = Number(expectedTotals(facts, query).cents[0]);
      expect(loaded.totals.spendCents).toBe(total);
      expect(loaded.series[0]?.values.reduce<number>((sum, value) => sum + (value ?? 0), 0)).toBe(total);
      expect(loaded.channels.reduce((sum, { value }) => sum + (value ?? 0), 0)).toBe(total);
      const expected = expectedRows(facts, query, group);
      expect(loaded.table.count).toBe(expected.size);
      for (const row of loaded.table.rows) expect(BigInt(row.spendCents)).toBe(expected.get(row.key)?.cents[0]);
    }
  });

  it.each([
    "range=2d&from=x&to=infinity&group=secret&sort=1&order=up&page=-1&view=admin&metric=nothing&channel=radio",
    "range=custom",
    "range=custom&from=2199-12-31&to=2000-01-01",
    "from=2000-01-01",
    "page=999999&group=day",
    "campaign=1%27%20or%201=1&audience=%00&category=%F0%9F%A7%81",
    `category=${"x".repeat(3_000)}&metric=${"y".repeat(3_000)}`,
    "range=&campaign=&audience=&category=&channel=&view=&from=&to=",
    "__proto__=1&constructor=2&range=7d&range=1y",
  ])("accept the URL %s", async (query) => {
    const { period: shown } = await load(portal, who, query);
    expect(shown.from <= shown.to).toBe(true);
  });

  it("are in the usual order where the URL sorts by a metric of the other side, also in their file", async () => {
    const usual = await load(portal, who, `${year}&group=campaign`);
    expect(usual.table.rows.length).toBeGreaterThan(1);
    const file = (query: string) =>
      visit(world(), who, exported.loader, `/${portal}/analytics/export?${year}&group=campaign&format=csv&${query}`);
    for (const sort of portal === "publisher" ? ["revenue", "roas"] : ["earnings"]) {
      const query = `sort=${sort}&order=ascending`;
      const { table, search } = await load(portal, who, `${year}&group=campaign&${query}`);
      expect([table.rows, search.sort, search.order]).toEqual([usual.table.rows, undefined, undefined]);
      expect((await file(query)).body).toBe((await file("")).body);
    }
    await database().delete(rateLimits);
  });

  it("show nothing of another account's campaign, as of an unknown one", async () => {
    const foreign = await world().aRunningCampaign({
      by: world().brightside,
      audiences: ["coffeeDrinkers"],
      approvedBy: ["fern"],
    });
    for (const campaign of [foreign, "nonsense"]) {
      const loaded = await load(portal, who, `${year}&campaign=${campaign}`);
      expect([loaded.totals.impressions, loaded.table.rows]).toEqual([0, []]);
      expect(loaded.options.campaigns.map(({ value }) => value)).not.toContain(foreign);
    }
  });

  it.each(["x".repeat(255), "\u{1f9ed}".repeat(255)])(
    "are filtered by a category as long as a product's: %s",
    async (long) => {
      const loaded = await load(portal, who, `${year}&category=${encodeURIComponent(long)}`);
      expect([loaded.filters.category, loaded.totals.impressions]).toEqual([long, 0]);
      expect(loaded.options.categories).toContainEqual({ value: long, label: long });
    },
  );

  it("are exported at most five times an hour, with a message after that", async () => {
    const get = () =>
      visit(world(), who, exported.loader, `/${portal}/analytics/export?${year}&group=campaign&format=csv`);
    const response = await get();
    expect(response.headers.get("Content-Disposition")).toBe(
      'attachment; filename="analytics-by-campaign-2024-03-01-2025-02-28.csv"',
    );
    expect(String(response.body)).toContain("\r\n'=Second,");
    for (let more = 0; more < 4; more += 1) expect((await get()).status).toBe(200);
    const rejected = await get();
    expect([rejected.status, rejected.location]).toEqual([302, `/${portal}/analytics?${year}&group=campaign`]);
    await database().delete(rateLimits);
  });

  it("answer HEAD of their file with its headers, without making it and without using an export", async () => {
    const path = `/${portal}/analytics/export?${year}&group=campaign&format=xlsx`;
    const { headers } = await clientOf(demoUserId(who));
    const call = `${origin}/api/analytics/export?from=2024-03-01&to=2025-02-28&group_by=campaign&format=xlsx`;
    const ofHead = [];
    for (let times = 0; times < 6; times += 1) {
      const response = await visit(world(), who, exported.loader, path, { method: "HEAD" });
      const inApi = await send(new Request(call, { method: "HEAD", headers }));
      ofHead.push([response.status, inApi.status, response.body]);
      expect(response.headers.get("Content-Disposition")).toBe(inApi.headers.get("Content-Disposition"));
    }
    expect(ofHead).toEqual(Array(6).fill([200, 200, ""]));
    const head = await visit(world(), who, exported.loader, path, { method: "HEAD" });
    const get = await visit(world(), who, exported.loader, path);
    expect([get.status, [...get.headers]]).toEqual([200, [...head.headers]]);
    await database().delete(rateLimits);
  });
});

it("a range of more than two years shows the last two, with an error at its first day", async () => {
  const page = await load("advertiser", "northwind", "from=2020-01-01&to=2024-03-01");
  expect([page.search.from, page.period]).toEqual(["2020-01-01", { from: "2022-03-02", to: "2024-03-01" }]);
  const formOf = (search: Partial<typeof page.search>) =>
    renderInRouter(
      "/shop/analytics",
      createElement(AnalyticsFilterForm, {
        ...page,
        search: { ...page.search, ...search },
        view: "advertiser",
        filtered: false,
      }),
    );
  expect(await formOf({})).toContain("A period has at most 731 days");
  expect(await formOf({ from: parseCalendarDate("2022-03-02") })).not.toContain("A period has");
  expect(await formOf({ range: "7d" })).not.toContain("A period has");
});

it.each([
  ["more than two years", "from=2020-01-01&to=2024-03-01", "A period has at most 731 days"],
  ["days after today", "from=2199-01-01", "not after today"],
])("a range of %s has no file, and leads back to the form with the reason", async (_what, range, reason) => {
  const response = await visit(world(), "northwind", exported.loader, `/advertiser/analytics/export?${range}`);
  expect([response.status, response.location]).toEqual([302, `/advertiser/analytics?${range}`]);
  expect((await messageOf(response))?.message).toContain(reason);
});

describe("a range of days after today", () => {
  const future = "from=2199-01-01";

  it("stays in the form as it was entered, with the error at its first day, and shows no figures of today", async () => {
    const loaded = await load("advertiser", "northwind", future);
    expect([loaded.search.from, isFuture(loaded.search, loaded.today)]).toEqual(["2199-01-01", true]);
    const form = await renderInRouter(
      "/shop/analytics",
      createElement(AnalyticsFilterForm, { ...loaded, view: "advertiser", filtered: false }),
    );
    expect(form).toContain("not after today (UTC)");
    expect(form).toContain('value="2199-01-01"');
    for (const fine of ["range=7d&from=2199-01-01", `from=${loaded.today}`, "to=2199-01-01"]) {
      const { search, today } = await load("advertiser", "northwind", fine);
      expect(isFuture(search, today)).toBe(false);
    }
  });
});

describe("a range that ends before it begins", () => {
  const reversed = "from=2024-03-02&to=2024-03-01";

  it("stays in the form as it was entered, with the error at its last day", async () => {
    const { search } = await load("advertiser", "northwind", reversed);
    expect(search).toMatchObject({ from: "2024-03-02", to: "2024-03-01" });
    expect(isReversed(search)).toBe(true);
    expect(isReversed({ ...search, range: "7d" })).toBe(false);
    expect(isReversed({ from: "2024-03-01", to: "2024-03-01" })).toBe(false);
  });

  it("has no file, and leads back to the form", async () => {
    const path = `/advertiser/analytics/export?${reversed}&format=csv`;
    const { status, location } = await visit(world(), "northwind", exported.loader, path);
    expect([status, location]).toEqual([302, expect.stringMatching(/^\/advertiser\/analytics\?.*from=2024-03-02/)]);
  });
});

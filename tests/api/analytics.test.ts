import { read, utils } from "@e965/xlsx";
import { beforeAll, describe, expect, test } from "vitest";
import { groupings } from "#app/domain/analytics/analytics.ts";
import { pauseLineItem } from "#app/domain/campaigns/line-items/pause-line-item.server.ts";
import { reviewCampaign } from "#app/domain/campaigns/review-campaign.server.ts";
import { updateCampaign } from "#app/domain/campaigns/update-campaign.server.ts";
import { demoUserId } from "#db/seed/demo-accounts.ts";
import { deliverAnything, makeDeliveredWorld } from "#tests/domain/analytics/delivered-world.ts";
import { useDatabase } from "#tests/support/database/database.ts";
import { campaignChanges } from "#tests/support/world.ts";
import { type ApiClient, clientOf, origin, send } from "./api.ts";

const db = useDatabase();
let world: Awaited<ReturnType<typeof makeDeliveredWorld>>;
let northwind: ApiClient;
let harbor: ApiClient;
beforeAll(async () => {
  world = await makeDeliveredWorld(db());
  const rows = Array.from({ length: 400 }, (_, n): [number, number, number, number, number] => [
    n,
    n,
    n,
    997 * n,
    3_333 * n,
  ]);
  await deliverAnything(db(), rows);
  northwind = await clientOf(demoUserId("northwind"));
  harbor = await clientOf(demoUserId("harbor"));
});

const period = { from: "2024-01-15", to: "2025-03-20" };
const sumOf = (rows: readonly { spend: number }[]) =>
  Math.round(rows.reduce((sum, row) => sum + row.spend * 100, 0)) / 100;

test.each(groupings)("rows by %s add up to the totals", async (group_by) => {
  for (const api of [northwind, harbor]) {
    const { body } = await api("GET /api/analytics", { query: { ...period, group_by } });
    expect(body.totals.impressions).toBeGreaterThan(0);
    expect(body.rows.reduce((sum, row) => sum + row.impressions, 0)).toBe(body.totals.impressions);
    expect(sumOf(body.rows)).toBe(body.totals.spend);
    expect(body).toMatchObject({
      as_of: null,
      period,
      previous_period: { to: "2024-01-14" },
      previous: { spend: 0 },
      next_cursor: null,
    });
  }
});

test("a breakdown by two dimensions has a row for each pair, which add up to the totals, also in a file", async () => {
  for (const [api, group_by, split_by] of [
    [northwind, "channel", "publisher"],
    [northwind, "campaign", "channel"],
    [harbor, "advertiser", "channel"],
  ] as const) {
    const { body } = await api("GET /api/analytics", { query: { ...period, group_by, split_by } });
    expect(body.rows.length).toBeGreaterThan(1);
    expect(body.rows.every((row) => typeof row.split_name === "string")).toBe(true);
    expect(body.rows.reduce((sum, row) => sum + row.impressions, 0)).toBe(body.totals.impressions);
    expect(sumOf(body.rows)).toBe(body.totals.spend);
  }
  const query = `format=csv&from=${period.from}&to=${period.to}&group_by=campaign&split_by=channel`;
  const response = await send(new Request(`${origin}/api/analytics/export?${query}`, { headers: northwind.headers }));
  const lines = (await response.text()).trimEnd().split("\r\n");
  expect(lines[0]).toMatch(/^Campaign,Channel,Impressions/);
  expect(lines.at(-1)).toMatch(/^Total,,\d/);
});

test("by advertiser or publisher, an account gets those it deals with, and of its own side itself alone", async () => {
  const fern = await clientOf(demoUserId("fern"));
  const brightside = await clientOf(demoUserId("brightside"));
  const namesOf = async (api: ApiClient, query: { group_by: "advertiser" | "publisher"; split_by?: "campaign" }) => {
    const { status, body } = await api("GET /api/analytics", { query: { ...period, ...query } });
    expect(status).toBe(200);
    return [...new Set(body.rows.map(({ name }) => name))].sort();
  };
  const parties = [
    [northwind, "advertiser", ["Fern & Field Market", "Harbor Goods"], "Northwind Outdoors"],
    [brightside, "advertiser", ["Fern & Field Market", "Harbor Goods"], "Brightside Coffee Roasters"],
    [harbor, "publisher", ["Brightside Coffee Roasters", "Northwind Outdoors"], "Harbor Goods"],
    [fern, "publisher", ["Brightside Coffee Roasters", "Northwind Outdoors"], "Fern & Field Market"],
  ] as const;
  for (const [api, side, others, self] of parties) {
    const other = side === "advertiser" ? "publisher" : "advertiser";
    for (const split of [{}, { split_by: "campaign" as const }]) {
      expect(await namesOf(api, { group_by: other, ...split })).toEqual(others);
      expect(await namesOf(api, { group_by: side, ...split })).toEqual([self]);
    }
  }
});

test.each([
  ["day", "channel"],
  ["week", "publisher"],
  ["month", "advertiser"],
  ["publisher", "publisher"],
  ["advertiser", "advertiser"],
] as const)("rows by %s can't be split by %s, with the reason, also in a file", async (group_by, split_by) => {
  for (const path of ["/api/analytics", "/api/analytics/export"]) {
    const url = `${origin}${path}?group_by=${group_by}&split_by=${split_by}`;
    const response = await send(new Request(url, { headers: harbor.headers }));
    const { error } = await response.json();
    expect([response.status, error.code, error.fields]).toEqual([
      422,
      "invalid_input",
      { split_by: ["Choose another dimension than group_by, which must not be a time"] },
    ]);
  }
});

test("weeks name their days in the period, say when they are partial, and have an average", async () => {
  const { body } = await northwind("GET /api/analytics", {
    query: { from: "2024-01-17", to: "2024-02-06", group_by: "week" },
  });
  expect(body.rows.map(({ key, from, to, partial }) => [key, from, to, partial])).toEqual([
    ["2024-01-15", "2024-01-17", "2024-01-21", true],
    ["2024-01-22", "2024-01-22", "2024-01-28", false],
    ["2024-01-29", "2024-01-29", "2024-02-04", false],
    ["2024-02-05", "2024-02-05", "2024-02-06", true],
  ]);
  const complete = body.rows.slice(1, 3).reduce((sum, row) => sum + row.impressions, 0);
  expect(body.average).toMatchObject({ rows: 2, impressions: complete / 2 });
});

test("each party gets its own amounts and not the other's", async () => {
  const query = { ...period, group_by: "campaign" } as const;
  const own = (await northwind("GET /api/analytics", { query })).body;
  expect(own.rows[0]).toMatchObject({ revenue: expect.any(Number), roas: expect.any(Number) });
  expect(own.totals).not.toHaveProperty("earnings");
  const other = (await harbor("GET /api/analytics", { query })).body;
  expect(other.rows[0]).toMatchObject({ earnings: expect.any(Number), advertiser_name: expect.any(String) });
  expect(JSON.stringify(other)).not.toMatch(/revenue|roas/);
});

test.each([
  ["revenue", "harbor"],
  ["roas", "harbor"],
  ["earnings", "northwind"],
] as const)("rows can't be sorted by %s, which %s does not see, nor can a file", async (sort, who) => {
  const { headers } = who === "harbor" ? harbor : northwind;
  for (const path of ["/api/analytics", "/api/analytics/export"]) {
    const url = `${origin}${path}?group_by=campaign&sort=${sort}&order=asc`;
    const response = await send(new Request(url, { headers }));
    const { error } = await response.json();
    expect([response.status, error.code, error.fields]).toEqual([
      422,
      "invalid_input",
      { sort: ["Choose a metric that the rows have"] },
    ]);
  }
});

test("filters narrow the rows, and another account's ids match nothing", async () => {
  const all = { ...period, group_by: "channel" } as const;
  const one = await northwind("GET /api/analytics", {
    query: { ...all, campaign: world.campaigns.packs, channel: "meta" },
  });
  expect(one.body.rows.map(({ key }) => key)).toEqual(["meta"]);
  for (const nothing of [
    { campaign: world.campaigns.coffee },
    { campaign: "abc" },
    { audience: "1'" },
    { category: "=x" },
    { category: "x".repeat(255) },
  ]) {
    const { status, body } = await northwind("GET /api/analytics", { query: { ...all, ...nothing } });
    expect([status, body.rows, body.totals.spend, body.totals.roas]).toEqual([200, [], 0, null]);
  }
});

test("pages follow each other without gaps", async () => {
  const query = { ...period, group_by: "campaign", sort: "name", order: "asc" } as const;
  const all = (await northwind("GET /api/analytics", { query })).body.rows;
  const first = (await northwind("GET /api/analytics", { query: { ...query, limit: 2 } })).body;
  const { next_cursor: cursor } = first;
  const second = (await northwind("GET /api/analytics", { query: { ...query, limit: 2, cursor: cursor ?? "" } })).body;
  expect([...first.rows, ...second.rows]).toEqual(all);
  expect(second.next_cursor).toBeNull();
});

test("a response without a limit has 500 rows and a next cursor", async () => {
  const query = { from: "2024-01-01", to: "2025-12-30", group_by: "day", sort: "name", order: "asc" } as const;
  const first = (await northwind("GET /api/analytics", { query })).body;
  expect([first.rows.length, first.next_cursor]).toEqual([500, "500"]);
  const rest = (await northwind("GET /api/analytics", { query: { ...query, cursor: "500" } })).body;
  expect([rest.rows.length, rest.next_cursor]).toEqual([730 - 500, null]);
});

test.each([
  ["range", "2d"],
  ["from", "2026-02-30"],
  ["to", "infinity"],
  ["group_by", "city"],
  ["split_by", "day"],
  ["channel", "radio"],
  ["sort", "password"],
  ["limit", "0"],
  ["cursor", "-1"],
])("%s=%s is rejected with a message", async (field, value) => {
  const response = await send(new Request(`${origin}/api/analytics?${field}=${value}`, { headers: northwind.headers }));
  expect([response.status, Object.keys((await response.json()).error.fields)]).toEqual([422, [field]]);
});

describe("an export has the rows of the endpoint, with the totals last", () => {
  async function fileOf(api: ApiClient, query: string) {
    const response = await send(new Request(`${origin}/api/analytics/export?${query}`, { headers: api.headers }));
    expect(response.status).toBe(200);
    return { headers: response.headers, bytes: Buffer.from(await response.arrayBuffer()) };
  }

  test.each(["csv", "xlsx"] as const)("as %s, read by an independent parser", async (format) => {
    for (const api of [northwind, harbor]) {
      const { headers, bytes } = await fileOf(
        api,
        `format=${format}&from=${period.from}&to=${period.to}&group_by=campaign`,
      );
      expect(headers.get("Content-Disposition")).toBe(
        `attachment; filename="analytics-by-campaign-2024-01-15-2025-03-20.${format}"`,
      );
      const book = read(bytes, { type: "buffer", raw: true });
      const sheet = Object.values(book.Sheets)[0] ?? {};
      const cells = Object.entries(sheet).flatMap(([place, cell]) => (place.startsWith("!") ? [] : [cell]));
      expect(cells.filter((cell) => cell.f || (typeof cell.v === "string" && /^[=+\-@\t\r]/.test(cell.v)))).toEqual([]);
      const rows = utils.sheet_to_json<Record<string, string | number>>(sheet, { raw: true });
      const { body } = await api("GET /api/analytics", { query: { ...period, group_by: "campaign" } });
      const rowsWithTotal = [...body.rows, { ...body.totals, name: "Total" }];
      expect(rows.map((row) => Number(row["Spend (USD)"]))).toEqual(rowsWithTotal.map(({ spend }) => spend));
      expect(rows.map((row) => Number(row.Impressions))).toEqual(rowsWithTotal.map(({ impressions }) => impressions));
      const money = api === harbor ? "Earnings (USD)" : "Revenue (USD)";
      expect(rows.map((row) => Number(row[money]))).toEqual(rowsWithTotal.map((row) => row.earnings ?? row.revenue));
      expect(rows.map((row) => row.Campaign)).toEqual(rowsWithTotal.map(({ name }) => name.replace(/^=/, "'=")));
      if (format === "xlsx") expect(cells.filter((cell) => cell.t === "n").length).toBeGreaterThan(10);
    }
  });

  test("of days, each in its own row, however many", async () => {
    const { bytes } = await fileOf(northwind, `format=csv&from=${period.from}&to=${period.to}&group_by=day`);
    const lines = bytes.toString().trimEnd().split("\r\n");
    // Without the byte-order mark that people's files have: a program would take it for a part of the first name.
    expect(lines[0]).toMatch(/^Day,/);
    expect(lines).toHaveLength(1 + 431 + 1);
    expect(lines[46]).toMatch(/^2024-02-29,/);
  });
});

describe("rows by time come with the marks of campaign changes", () => {
  test("for each party its own, with the budgets before and after", async () => {
    world.setNow("2025-05-05T10:00:00Z");
    const id = await world.aRunningCampaign({ changes: { name: "Marked" } });
    await pauseLineItem(world.harbor, { id });
    const changes = campaignChanges({ budget: 7_000.5, daily_budget: 700 });
    await updateCampaign(world.northwind, { id, changes, send: true });
    await reviewCampaign(world.harbor, { id, action: "approve" });
    const query = { from: "2025-05-05", to: "2025-05-05" };
    const shared = { date: "2025-05-05", campaign_id: id, campaign_name: "Marked" };
    const plain = { ...shared, publisher_name: null, before: null, after: null };
    const expected = [
      { ...plain, kind: "launch" },
      { ...plain, kind: "pause", publisher_name: "Harbor Goods" },
      {
        ...plain,
        kind: "budget_change",
        before: { budget: 5_000, daily_budget: 500 },
        after: { budget: 7_000.5, daily_budget: 700 },
      },
    ];
    for (const api of [northwind, harbor])
      for (const group_by of ["day", "week", "month"] as const) {
        const { body } = await api("GET /api/analytics", { query: { ...query, group_by } });
        expect([body.marks, body.marks_from]).toEqual([expected, null]);
      }
    const fern = await clientOf(demoUserId("fern"));
    const brightside = await clientOf(demoUserId("brightside"));
    for (const api of [fern, brightside])
      for (const filter of [{}, { campaign: id }])
        expect((await api("GET /api/analytics", { query: { ...query, ...filter } })).body.marks).toEqual([]);
  });

  test("and other rows without", async () => {
    const { body } = await northwind("GET /api/analytics", { query: { ...period, group_by: "campaign" } });
    expect(body).not.toHaveProperty("marks");
  });
});

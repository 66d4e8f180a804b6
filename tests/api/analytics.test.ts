import { read, utils } from "@e965/xlsx";
import { beforeAll, describe, expect, test } from "vitest";
import { demoUserId } from "#db/seed/demo-accounts.ts";
import { deliverAnything, makeDeliveredWorld } from "#tests/domain/analytics/delivered-world.ts";
import { useDatabase } from "#tests/support/database.ts";
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

test.each(["day", "campaign", "audience", "channel", "category"] as const)(
  "rows by %s add up to the totals",
  async (group_by) => {
    for (const api of [northwind, harbor]) {
      const { body } = await api("GET /api/analytics", { query: { ...period, group_by } });
      expect(body.totals.impressions).toBeGreaterThan(0);
      expect(body.rows.reduce((sum, row) => sum + row.impressions, 0)).toBe(body.totals.impressions);
      expect(sumOf(body.rows)).toBe(body.totals.spend);
      expect(body).toMatchObject({
        period,
        previous_period: { to: "2024-01-14" },
        previous: { spend: 0 },
        next_cursor: null,
      });
    }
  },
);

test("each side gets its own money, and no other", async () => {
  const query = { ...period, group_by: "campaign" } as const;
  const own = (await northwind("GET /api/analytics", { query })).body;
  expect(own.rows[0]).toMatchObject({ revenue: expect.any(Number), roas: expect.any(Number) });
  expect(own.totals).not.toHaveProperty("earnings");
  const other = (await harbor("GET /api/analytics", { query })).body;
  expect(other.rows[0]).toMatchObject({ earnings: expect.any(Number), advertiser_name: expect.any(String) });
  expect(JSON.stringify(other)).not.toMatch(/revenue|roas/);
});

test("filters narrow it, and what belongs to somebody else is nothing", async () => {
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
  ]) {
    const { status, body } = await northwind("GET /api/analytics", { query: { ...all, ...nothing } });
    expect([status, body.rows, body.totals.spend, body.totals.roas]).toEqual([200, [], 0, null]);
  }
});

test("pages follow one another", async () => {
  const query = { ...period, group_by: "campaign", sort: "name", order: "asc" } as const;
  const all = (await northwind("GET /api/analytics", { query })).body.rows;
  const first = (await northwind("GET /api/analytics", { query: { ...query, limit: 2 } })).body;
  const { next_cursor: cursor } = first;
  const second = (await northwind("GET /api/analytics", { query: { ...query, limit: 2, cursor: cursor ?? "" } })).body;
  expect([...first.rows, ...second.rows]).toEqual(all);
  expect(second.next_cursor).toBeNull();
});

test.each([
  ["range", "2d"],
  ["from", "2026-02-30"],
  ["to", "infinity"],
  ["group_by", "publisher"],
  ["channel", "radio"],
  ["sort", "password"],
  ["limit", "0"],
  ["cursor", "-1"],
])("%s=%s is refused in words", async (field, value) => {
  const answer = await send(new Request(`${origin}/api/analytics?${field}=${value}`, { headers: northwind.headers }));
  expect([answer.status, Object.keys((await answer.json()).error.fields)]).toEqual([422, [field]]);
});

describe("an export has what the call says, the totals last", () => {
  async function fileOf(api: ApiClient, query: string) {
    const answer = await send(new Request(`${origin}/api/analytics/export?${query}`, { headers: api.headers }));
    expect(answer.status).toBe(200);
    return { headers: answer.headers, bytes: Buffer.from(await answer.arrayBuffer()) };
  }

  test.each(["csv", "xlsx"] as const)("as %s, read by another parser", async (format) => {
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
      const told = [...body.rows, { ...body.totals, name: "Total" }];
      expect(rows.map((row) => Number(row["Spend (USD)"]))).toEqual(told.map(({ spend }) => spend));
      expect(rows.map((row) => Number(row.Impressions))).toEqual(told.map(({ impressions }) => impressions));
      const money = api === harbor ? "Earnings (USD)" : "Revenue (USD)";
      expect(rows.map((row) => Number(row[money]))).toEqual(told.map((row) => row.earnings ?? row.revenue));
      expect(rows.map((row) => row.Campaign)).toEqual(told.map(({ name }) => name.replace(/^=/, "'=")));
      if (format === "xlsx") expect(cells.filter((cell) => cell.t === "n").length).toBeGreaterThan(10);
    }
  });

  test("of days, each on its row, however many", async () => {
    const { bytes } = await fileOf(northwind, `format=csv&from=${period.from}&to=${period.to}&group_by=day`);
    const lines = bytes.toString().trimEnd().split("\r\n");
    expect(lines).toHaveLength(1 + 431 + 1);
    expect(lines[46]).toMatch(/^2024-02-29,/);
  });
});

import fc from "fast-check";
import { beforeAll, expect, test } from "vitest";
import { listAdvertisers } from "#app/domain/accounts/list-advertisers.server.ts";
import { listAudiences } from "#app/domain/audiences/list-audiences.server.ts";
import { campaignSorts, countMatchingCampaigns, listCampaigns } from "#app/domain/campaigns/list-campaigns.server.ts";
import { listLineItems } from "#app/domain/campaigns/list-line-items.server.ts";
import { listProducts } from "#app/domain/catalog/list-products.server.ts";
import type { Page, PageRequest } from "#app/domain/page.ts";
import { useDatabase } from "#tests/support/database.ts";
import { refusalOf } from "#tests/support/refusals.ts";
import { makeWorld, type World } from "#tests/support/world.ts";

const db = useDatabase();
let world: World;

/** Equal names, equal and missing budgets, letters that sort in odd places. */
const names = ["Äpfel", "apple", "Apple", "", "Zebra", "zebra", "100 %", "100_", "Ridge", "Ridge", "Ridge"];
beforeAll(async () => {
  world = await makeWorld(db());
  for (const [index, name] of [...names, ...names].entries()) {
    await world.aDraft({ name, budget: index % 3 === 0 ? null : (index % 4) * 100 });
  }
  for (let index = 0; index < 9; index += 1) await world.aRunningCampaign({ changes: { name: `Run ${index % 4}` } });
});

type Row = { id: string };

/** Walks to the end by next, then back by previous. */
async function walk(read: (page: PageRequest) => Promise<Page<Row>>, limit: number) {
  const there: string[][] = [];
  let page = await read({ limit });
  there.push(page.rows.map((row) => row.id));
  expect(page.previousCursor).toBeNull();
  while (page.nextCursor) {
    page = await read({ limit, cursor: page.nextCursor });
    there.push(page.rows.map((row) => row.id));
  }
  const back = [there.at(-1) ?? []];
  while (page.previousCursor) {
    page = await read({ limit, cursor: page.previousCursor });
    back.unshift(page.rows.map((row) => row.id));
  }
  return { there: there.flat(), back: back.flat(), pages: there.length };
}

const lists: Record<string, (page: PageRequest) => Promise<Page<Row>>> = {
  ...Object.fromEntries(
    campaignSorts.map((sort) => [
      `campaigns by ${sort}`,
      (page: PageRequest) => listCampaigns(world.northwind, { ...page, sort }),
    ]),
  ),
  "campaigns that are drafts, by name": (page) =>
    listCampaigns(world.northwind, { ...page, sort: "name", status: "draft" }),
  "campaigns found by name": (page) => listCampaigns(world.northwind, { ...page, sort: "budget", q: "ridge" }),
  "line items": (page) => listLineItems(world.harbor, page),
  "line items that run": (page) => listLineItems(world.harbor, { ...page, filter: "active" }),
  "audiences an advertiser can choose": (page) => listAudiences(world.northwind, page),
  "a publisher's audiences": (page) => listAudiences(world.harbor, page),
  products: (page) => listProducts(world.northwind, page),
  advertisers: (page) => listAdvertisers(world.harbor, page),
};

test.each(Object.keys(lists))("walking the pages both ways gives each row once, in one order: %s", async (name) => {
  const read = lists[name];
  if (!read) throw new Error("no such list");
  const whole = (await read({ limit: 500 })).rows.map((row) => row.id);
  expect(whole.length).toBeGreaterThan(1);
  await fc.assert(
    fc.asyncProperty(fc.integer({ min: 1, max: whole.length + 2 }), async (limit) => {
      const { there, back, pages } = await walk(read, limit);
      expect(there).toEqual(whole);
      expect(back).toEqual(whole);
      expect(pages).toBe(Math.ceil(whole.length / limit));
    }),
    { numRuns: 6 },
  );
});

test("a page keeps its place when rows come and go around it", async () => {
  const first = await listCampaigns(world.northwind, { limit: 5 });
  await world.aDraft({ name: "Newest of all" });
  const second = await listCampaigns(world.northwind, { limit: 5, cursor: first.nextCursor ?? "" });
  const seen = new Set(first.rows.map((row) => row.id));
  expect(second.rows.some((row) => seen.has(row.id))).toBe(false);
});

test("a search takes its signs literally", async () => {
  expect((await listCampaigns(world.northwind, { q: "100 %" })).rows.map((row) => row.name)).toEqual([
    "100 %",
    "100 %",
  ]);
  expect((await listCampaigns(world.northwind, { q: "0_" })).rows.map((row) => row.name)).toEqual(["100_", "100_"]);
  expect(await countMatchingCampaigns(world.northwind, { q: "%" })).toBe(2);
});

test("limits are bounded, and a cursor that is none of ours is refused", async () => {
  expect((await listCampaigns(world.northwind, { limit: -3 })).rows).toHaveLength(1);
  const strangers = [
    "x",
    Buffer.from("[]").toString("base64url"),
    Buffer.from(JSON.stringify(["after", "abc", "01900000-0000-7000-8000-a00000000001"])).toString("base64url"),
  ];
  for (const cursor of strangers) {
    for (const sort of ["budget", "impressions"] as const) {
      const refusal = await refusalOf(listCampaigns(world.northwind, { cursor, sort }));
      expect(refusal.code).toBe("invalid_input");
    }
  }
});

test("any text for a cursor answers with a page or a refusal, never with a database error", async () => {
  const texts = fc.oneof(
    fc.string({ unit: "binary", maxLength: 80 }),
    fc
      .tuple(fc.constantFrom("after", "before"), fc.option(fc.string({ unit: "binary", maxLength: 30 })), fc.uuid())
      .map((position) => Buffer.from(JSON.stringify(position)).toString("base64url")),
  );
  await fc.assert(
    fc.asyncProperty(texts, fc.constantFrom(...campaignSorts), async (cursor, sort) => {
      if (cursor === "") return;
      await listCampaigns(world.northwind, { cursor, sort, limit: 2 }).catch((error) => {
        expect(error).toMatchObject({ code: "invalid_input" });
      });
    }),
    { numRuns: 150 },
  );
});

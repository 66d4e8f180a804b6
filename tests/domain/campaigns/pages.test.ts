import { eq } from "drizzle-orm";
import fc from "fast-check";
import { beforeAll, expect, test } from "vitest";
import { listAdvertisers } from "#app/domain/accounts/list-advertisers.server.ts";
import { listAudiences } from "#app/domain/audiences/list-audiences.server.ts";
import { audienceSorts, listOwnAudiences } from "#app/domain/audiences/list-own-audiences.server.ts";
import { lineItemSorts, listLineItems } from "#app/domain/campaigns/line-items/list-line-items.server.ts";
import {
  campaignSorts,
  countMatchingCampaigns,
  type ListedCampaign,
  listCampaigns,
} from "#app/domain/campaigns/list-campaigns.server.ts";
import { listProducts } from "#app/domain/catalog/list-products.server.ts";
import type { Page, PageRequest } from "#app/domain/page.ts";
import { campaigns, lineItems } from "#db/schema/index.ts";
import { anyCharacter } from "#tests/support/any-character.ts";
import { useDatabase } from "#tests/support/database/database.ts";
import { domainErrorFrom } from "#tests/support/expect-domain-error.ts";
import { createWorld, type World } from "#tests/support/world.ts";

const db = useDatabase();
let world: World;

/** Equal names, equal and missing budgets, letters that sort in odd places. */
const names = ["Äpfel", "apple", "Apple", "", "Zebra", "zebra", "100 %", "100_", "Ridge", "Ridge", "Ridge"];
beforeAll(async () => {
  world = await createWorld(db());
  for (const [index, name] of [...names, ...names].entries()) {
    await world.aDraft({ name, budget: index % 3 === 0 ? null : (index % 4) * 100 });
  }
  for (let index = 0; index < 9; index += 1) {
    const id = await world.aRunningCampaign({ changes: { name: `Run ${index % 4}` } });
    await db()
      .update(campaigns)
      .set({
        impressions: (index % 5) * 1_000,
        clicks: (index % 4) * 10,
        spendMicros: BigInt(index % 3) * 5_000_000n,
        revenueMicros: BigInt(index) * 7_000_000n,
      })
      .where(eq(campaigns.id, id));
    // Times the rate of a commission, hundreds of millions of dollars have 19 digits.
    const spendMicros = BigInt(index % 4) * 150_000_000_000_000n;
    await db().update(lineItems).set({ spendMicros }).where(eq(lineItems.campaignId, id));
  }
});

type Row = { id: string };

/** Walks to the end by next, then back by previous. */
async function walk(read: (page: PageRequest) => Promise<Page<Row>>, limit: number) {
  const forwardPages: string[][] = [];
  let page = await read({ limit });
  forwardPages.push(page.rows.map((row) => row.id));
  expect(page.previousCursor).toBeNull();
  while (page.nextCursor) {
    page = await read({ limit, cursor: page.nextCursor });
    forwardPages.push(page.rows.map((row) => row.id));
  }
  const backwardPages = [forwardPages.at(-1) ?? []];
  while (page.previousCursor) {
    page = await read({ limit, cursor: page.previousCursor });
    backwardPages.unshift(page.rows.map((row) => row.id));
  }
  return { there: forwardPages.flat(), back: backwardPages.flat(), pages: forwardPages.length };
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
  ...Object.fromEntries(
    lineItemSorts.map((sort) => [
      `line items by ${sort}`,
      (page: PageRequest) => listLineItems(world.harbor, { ...page, sort }),
    ]),
  ),
  ...Object.fromEntries(
    audienceSorts.map((sort) => [
      `own audiences by ${sort}`,
      (page: PageRequest) => listOwnAudiences(world.harbor, { ...page, sort }),
    ]),
  ),
  "line items": (page) => listLineItems(world.harbor, page),
  "line items that run": (page) => listLineItems(world.harbor, { ...page, filter: "active" }),
  "audiences an advertiser can choose": (page) => listAudiences(world.northwind, page),
  "a publisher's audiences": (page) => listAudiences(world.harbor, page),
  products: (page) => listProducts(world.northwind, page),
  advertisers: (page) => listAdvertisers(world.harbor, page),
};

test.each(Object.keys(lists))(
  "reading the pages in both directions yields each row once, in one order: %s",
  async (name) => {
    const read = lists[name];
    if (!read) throw new Error("no such list");
    const whole = (await read({ limit: 500 })).rows.map((row) => row.id);
    expect(whole.length).toBeGreaterThan(1);
    await fc.assert(
      fc.asyncProperty(fc.integer({ min: 1, max: whole.length + 2 }), async (limit) => {
        const { there: forwardPages, back: backwardPages, pages } = await walk(read, limit);
        expect(forwardPages).toEqual(whole);
        expect(backwardPages).toEqual(whole);
        expect(pages).toBe(Math.ceil(whole.length / limit));
      }),
      { numRuns: 6 },
    );
  },
);

test("a page keeps its position when rows before and after it change", async () => {
  const first = await listCampaigns(world.northwind, { limit: 5 });
  await world.aDraft({ name: "Newest of all" });
  const second = await listCampaigns(world.northwind, { limit: 5, cursor: first.nextCursor ?? "" });
  const seen = new Set(first.rows.map((row) => row.id));
  expect(second.rows.some((row) => seen.has(row.id))).toBe(false);
});

test("a search matches its characters literally", async () => {
  expect((await listCampaigns(world.northwind, { q: "100 %" })).rows.map((row) => row.name)).toEqual([
    "100 %",
    "100 %",
  ]);
  expect((await listCampaigns(world.northwind, { q: "0_" })).rows.map((row) => row.name)).toEqual(["100_", "100_"]);
  expect(await countMatchingCampaigns(world.northwind, { q: "%" })).toBe(2);
});

test("limits are bounded, and an invalid cursor is rejected", async () => {
  expect((await listCampaigns(world.northwind, { limit: -3 })).rows).toHaveLength(1);
  const invalidCursors = [
    "x",
    Buffer.from("[]").toString("base64url"),
    ...["abc", "9223372036854775808", "-9223372036854775809", "99999999999999999999"].map(
      (value) => `after.01900000-0000-7000-8000-a00000000001.campaigns.${Buffer.from(value).toString("base64url")}`,
    ),
    "after.01900000-0000-7000-8000-a00000000001",
    "after.x.campaigns",
    "behind.01900000-0000-7000-8000-a00000000001.campaigns",
  ];
  for (const cursor of invalidCursors) {
    for (const sort of ["budget", "impressions"] as const) {
      const refusal = await domainErrorFrom(listCampaigns(world.northwind, { cursor, sort }));
      expect(refusal.code).toBe("invalid_input");
    }
  }
});

test("a cursor has its row's id as it is, and one of an earlier version is read too", async () => {
  for (const sort of ["newest", "name", "budget"] as const) {
    const { rows, nextCursor } = await listCampaigns(world.northwind, { limit: 5, sort });
    const [direction, id, list, value] = nextCursor?.split(".") ?? [];
    expect([direction, id, list]).toEqual(["after", rows.at(-1)?.id, "campaigns"]);
    const decoded = value === undefined ? null : Buffer.from(value, "base64url").toString();
    const earlier = Buffer.from(JSON.stringify([direction, decoded, id])).toString("base64url");
    const request = { limit: 5, sort };
    expect(await listCampaigns(world.northwind, { ...request, cursor: earlier })).toEqual(
      await listCampaigns(world.northwind, { ...request, cursor: nextCursor ?? "" }),
    );
  }
});

test("any text as a cursor returns a page or a rejection, never a database error", async () => {
  const texts = fc.oneof(
    fc.string({ unit: anyCharacter, maxLength: 80 }),
    fc
      .tuple(fc.constantFrom("after", "before"), fc.option(fc.string({ unit: anyCharacter, maxLength: 30 })), fc.uuid())
      .map((position) => Buffer.from(JSON.stringify(position)).toString("base64url")),
    fc
      .tuple(fc.constantFrom("after", "before"), fc.uuid(), fc.option(fc.string({ unit: anyCharacter, maxLength: 30 })))
      .map(([direction, id, value]) =>
        [direction, id, "campaigns", ...(value === null ? [] : [Buffer.from(value).toString("base64url")])].join("."),
      ),
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

test("each metric sorts campaigns from the highest, with those without a ratio last", async () => {
  const figures = {
    budget: (row: ListedCampaign) => row.totalBudgetCents ?? 0,
    spent: (row: ListedCampaign) => row.spentCents,
    impressions: (row: ListedCampaign) => row.impressions,
    clicks: (row: ListedCampaign) => row.clicks,
    roas: (row: ListedCampaign) => Math.trunc((row.roas ?? -1) * 1_000),
  };
  for (const sort of ["budget", "spent", "impressions", "clicks", "roas"] as const) {
    const { rows } = await listCampaigns(world.northwind, { sort, limit: 500 });
    const values = rows.map(figures[sort]);
    expect(new Set(values).size, sort).toBeGreaterThan(1);
    expect(values, sort).toEqual([...values].sort((one, other) => other - one));
  }
});

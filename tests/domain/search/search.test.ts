import { sql } from "drizzle-orm";
import { beforeAll, describe, expect, test } from "vitest";
import { z } from "zod";
import { archiveAudience } from "#app/domain/audiences/archive-audience.server.ts";
import type { Ctx, TenantActor } from "#app/domain/context.ts";
import { newId, type PayoutId } from "#app/domain/ids.ts";
import { searchAccount } from "#app/domain/search/search-account.server.ts";
import { searchQuery } from "#app/domain/search/search-queries.server.ts";
import { searchCountLimit } from "#app/domain/search/search-result.ts";
import { queryRows } from "#db/query-rows.server.ts";
import { payouts } from "#db/schema/index.ts";
import { insertCreative } from "#tests/support/creatives.ts";
import { useDatabase } from "#tests/support/database/database.ts";
import { insertInvoice } from "#tests/support/insert-invoice.ts";
import { createWorld, type World } from "#tests/support/world.ts";

const db = useDatabase();
let world: World;
beforeAll(async () => {
  world = await createWorld(db());
});

/** The titles of each kind, in order. */
async function found(ctx: Ctx<TenantActor>, q: string): Promise<Record<string, string[]>> {
  const groups = await searchAccount(ctx, { q });
  return Object.fromEntries(groups.map(({ kind, results }) => [kind, results.map(({ title }) => title)]));
}

describe("a search finds", () => {
  test("campaigns by any part of their names: the whole name first, then beginnings, words, other parts", async () => {
    for (const name of ["Big quartz", "Aquartz", "Quartz watches", "QUARTZ"]) await world.aDraft({ name });
    expect(await found(world.northwind, " quartz ")).toEqual({
      campaign: ["QUARTZ", "Quartz watches", "Big quartz", "Aquartz"],
    });
  });

  test("five of a kind, and counts all", async () => {
    for (let number = 1; number <= 6; number += 1) await world.aDraft({ name: `Opal ${number}` });
    const [group] = await searchAccount(world.northwind, { q: "opal" });
    expect(group).toMatchObject({ results: { length: 5 }, count: 6, isAtLeast: false });
    const [one] = await searchAccount(world.northwind, { q: "opal 6" });
    expect(one).toMatchObject({ results: { length: 1 }, count: 1, isAtLeast: false });
    // Two letters are not searched for in the trigram index, so older names may match as well.
    const [short] = await searchAccount(world.northwind, { q: "op" });
    expect(short).toMatchObject({ results: { length: 5 }, count: 6, isAtLeast: true });
  });

  test("products by name and by SKU, a whole SKU first", async () => {
    expect(await found(world.northwind, "nw-pk-040")).toEqual({ product: ["Ridgeline 40 Pack"] });
    expect((await found(world.northwind, "ridgeline")).product).toEqual(["Ridgeline 22 Daypack", "Ridgeline 40 Pack"]);
  });

  test("a name with accents, however they are encoded, and with characters that nobody sees", async () => {
    await world.aDraft({ name: "Rosé Été" });
    for (const q of ["rosé été".normalize("NFD"), "ro\u200bsé", "é".normalize("NFD")]) {
      expect((await found(world.northwind, q)).campaign, JSON.stringify(q)).toContain("Rosé Été");
    }
  });

  test("creatives by name", async () => {
    await insertCreative(db(), world.accountId("northwind"), { name: "Glacier hero.png" });
    expect(await found(world.northwind, "hero")).toEqual({ creative: ["Glacier hero.png"] });
  });

  test("an invoice by its number and by its month", async () => {
    await insertInvoice(db(), world.accountId("northwind"));
    const [row] = await queryRows(db(), z.object({ number: z.number() }), sql`select number from invoices`);
    const number = String(row?.number);
    for (const q of [number, `INV-${number.padStart(6, "0")}`, `inv-${number}`, "INV"]) {
      expect((await found(world.northwind, q)).invoice).toEqual([number]);
    }
    const byMonth = { ...world.northwind, clock: () => new Date("2031-01-15T00:00:00Z") };
    expect((await found(byMonth, "February 2030")).invoice).toEqual([number]);
    expect((await found(byMonth, "feb 2030")).invoice).toEqual([number]);
    expect((await found(byMonth, "2030-02")).invoice).toEqual([number]);
    expect((await found(byMonth, "March 2030")).invoice).toBeUndefined();
  });

  test("a publisher's payouts by their month", async () => {
    const to = { provider: "sandbox", token: "bank_closed", bank: "Sandbox Bank", lastFour: "0116" } as const;
    const at = new Date("2026-10-31T23:30:00Z");
    const ended = { status: "failed", failure: "Closed.", createdAt: at, endedAt: at } as const;
    const id = newId<PayoutId>();
    await db()
      .insert(payouts)
      .values({ id, publisherId: world.accountId("harbor"), amountCents: 5_000, ...to, ...ended });
    const groups = await searchAccount(world.harbor, { q: "october 2026" });
    expect(groups.map(({ kind, results }) => [kind, results.map((result) => result.id)])).toEqual([["payout", [id]]]);
    expect(await found(world.fern, "october 2026")).toEqual({});
  });

  test("a row by its id", async () => {
    const id = await world.aDraft({ name: "By its id" });
    expect(await found(world.northwind, id.toUpperCase())).toEqual({ campaign: ["By its id"] });
    expect(await found(world.northwind, world.product("NW-BT-310"))).toEqual({ product: ["Camp Moc"] });
    expect(await found(world.harbor, world.audience("hikers"))).toEqual({ audience: ["Weekend hikers"] });
    expect(await found(world.northwind, newId())).toEqual({});
  });

  test("one or two letters at the beginning of a name", async () => {
    await world.aDraft({ name: "Żubr" });
    expect((await found(world.northwind, "ż")).campaign).toEqual(["Żubr"]);
    expect((await found(world.northwind, "ub")).campaign).toEqual(["Żubr"]);
    expect((await found(world.northwind, "b")).campaign).not.toContain("Żubr");
  });
});

describe("nobody finds", () => {
  test("another advertiser's campaigns, products, creatives and invoices, by name or by id", async () => {
    const id = await world.aDraft({ name: "Zircon only" });
    const creative = await insertCreative(db(), world.accountId("northwind"), { name: "zircon.png" });
    const invoice = await insertInvoice(db(), world.accountId("northwind"));
    const [row] = await queryRows(
      db(),
      z.object({ number: z.string() }),
      sql`select max(number)::text as number from invoices`,
    );
    expect(await found(world.northwind, "zircon")).toEqual({ campaign: ["Zircon only"], creative: ["zircon.png"] });
    expect((await found(world.northwind, row?.number ?? "")).invoice).toEqual([row?.number]);
    for (const other of [world.brightside, world.harbor]) {
      for (const q of [
        "zircon",
        "zi",
        "z",
        id,
        creative,
        invoice,
        world.product("NW-BT-310"),
        "nw-bt-310",
        "Camp Moc",
      ]) {
        expect(await found(other, q)).toEqual({});
      }
      expect((await found(other, row?.number ?? "")).invoice).toBeUndefined();
    }
  });

  test("a campaign that was sent to another publisher, or to none yet", async () => {
    const id = await world.aLaunchedCampaign({ changes: { name: "Beryl sale" }, audiences: ["hikers"] });
    expect(await found(world.harbor, "beryl")).toEqual({ line_item: ["Beryl sale"] });
    expect(await found(world.fern, "beryl")).toEqual({});
    expect(await found(world.fern, id)).toEqual({});
    await world.aDraft({ name: "Beryl draft" });
    expect((await found(world.northwind, "beryl")).campaign).toEqual(["Beryl draft", "Beryl sale"]);
    expect(await found(world.harbor, "beryl")).toEqual({ line_item: ["Beryl sale"] });
    expect(await found(world.harbor, id)).toEqual({ line_item: ["Beryl sale"] });
  });

  test("another publisher's audience; an advertiser finds those it can select, without their sizes", async () => {
    expect(await found(world.harbor, "weekend hikers")).toEqual({ audience: ["Weekend hikers"] });
    expect(await found(world.fern, "weekend hikers")).toEqual({});
    expect(await found(world.fern, world.audience("hikers"))).toEqual({});
    const [group] = await searchAccount(world.brightside, { q: "weekend hikers" });
    expect(group?.results).toEqual([
      {
        kind: "audience",
        id: world.audience("hikers"),
        title: "Weekend hikers",
        facts: { segment: "category-enthusiasts", publisherName: "Harbor Goods" },
      },
    ]);
  });

  test("an archived audience", async () => {
    await archiveAudience(world.harbor, { id: world.audience("giftShoppers") });
    for (const ctx of [world.harbor, world.northwind]) {
      expect(await found(ctx, "gift shoppers")).toEqual({});
      expect(await found(ctx, world.audience("giftShoppers"))).toEqual({});
    }
  });
});

test("wildcards, quotes and control characters are searched as they are", async () => {
  const hostile = [
    "100% off_all",
    'O\'Brien "quoted"',
    "back\\slash",
    "<b>bold</b>",
    "a;drop table x--",
    "日本 春の旅",
    "😀 fun",
  ];
  for (const name of hostile) await world.aDraft({ name });
  for (const name of hostile) {
    expect((await found(world.northwind, name)).campaign).toEqual([name]);
    expect((await found(world.northwind, name.slice(1))).campaign ?? [name]).toEqual([name]);
  }
  expect((await found(world.northwind, "100%")).campaign).toEqual(["100% off_all"]);
  expect((await found(world.northwind, "1%0")).campaign).toBeUndefined();
  expect((await found(world.northwind, "off_")).campaign).toEqual(["100% off_all"]);
  expect((await found(world.northwind, "%")).campaign).toBeUndefined();
  expect((await found(world.northwind, "_")).campaign).toBeUndefined();
  for (const q of [
    "",
    "   ",
    "\0",
    "\0\0x\0y\0z",
    "\ud800",
    "x".repeat(200),
    "x".repeat(10_000),
    "$1",
    "inv-999999999",
  ]) {
    expect(await found(world.northwind, q)).toEqual({});
    expect(await found(world.harbor, q)).toEqual({});
  }
});

describe("of many rows", () => {
  const many = 12_000;
  beforeAll(async () => {
    const owner = db.owner();
    const account = world.accountId("brightside");
    // The rare ones are the oldest, so that only the trigram index finds them.
    await owner.execute(sql`
      insert into campaigns (id, advertiser_id, name)
      select ('00000000-0000-7000-8000-' || lpad(n::text, 12, '0'))::uuid, ${account},
        case when n < 3 then 'Seldom lazuli ' else 'Often garnet ' end || n from generate_series(1, ${many}::int) n`);
    await owner.execute(sql`
      insert into products (id, account_id, name, sku, category, price_cents)
      select gen_random_uuid(), ${account}, 'Garnet ring ' || n, 'GR-' || n, 'Rings', 100 from generate_series(1, ${many}::int) n`);
    await owner.execute(sql`analyze campaigns, products, audiences, creatives, invoices`);
  });

  /** The executed plan. Without sequential scans, as at a size at which they cost more than an index. */
  async function planOf(q: string): Promise<string> {
    const query = searchQuery(world.brightside, { q, id: undefined, months: [], limit: searchCountLimit + 1 });
    const rows = await db().transaction(async (tx) => {
      await tx.execute(sql`set local enable_seqscan = off`);
      return queryRows(
        tx,
        z.object({ "QUERY PLAN": z.string() }),
        sql`explain (analyze, timing off, costs off) ${query}`,
      );
    });
    const lines = rows.map((row) => row["QUERY PLAN"]);
    return lines.filter((line) => !line.includes("never executed")).join("\n");
  }

  test("a rare text is found in the trigram index, and a beginning in the prefix index", async () => {
    expect(await found(world.brightside, "lazuli")).toEqual({ campaign: ["Seldom lazuli 1", "Seldom lazuli 2"] });
    const rare = await planOf("lazuli");
    expect(rare).toContain("campaigns_name_search");
    expect(rare).toContain("campaigns_name_prefix");
    expect(rare).toContain("products_search");
    expect(rare).not.toMatch(/Seq Scan on (?:campaigns|products)/);
  });

  test("a frequent text is found among the newest rows, without its many other matches", async () => {
    expect((await found(world.brightside, "garnet")).campaign).toHaveLength(5);
    const frequent = await planOf("garnet");
    expect(frequent).not.toMatch(/Seq Scan on (?:campaigns|products)/);
    const read = [...frequent.matchAll(/actual rows=([\d.]+)/g)].map(([, rows]) => Number(rows));
    expect(Math.max(...read)).toBeLessThanOrEqual(2_000);
  });

  test("a hundred of a kind are counted, and then that there are more", async () => {
    expect((await searchAccount(world.brightside, { q: "garnet" }))[0]).toMatchObject({ count: 100, isAtLeast: true });
    expect((await searchAccount(world.brightside, { q: "lazuli" }))[0]).toMatchObject({ count: 2, isAtLeast: false });
    expect((await searchAccount(world.brightside, { q: "garnet 119" }))[0]).toMatchObject({
      count: 100,
      isAtLeast: true,
    });
    expect((await searchAccount(world.brightside, { q: "garnet 1199" }))[0]).toMatchObject({
      count: 11,
      isAtLeast: false,
    });
  });

  test("one letter reads a few rows of the prefix index", async () => {
    const short = await planOf("o");
    expect(short).toContain("campaigns_name_prefix");
    expect(short).not.toMatch(/_search|Seq Scan on (?:campaigns|products)/);
  });
});

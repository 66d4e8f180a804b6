import { and, eq } from "drizzle-orm";
import { beforeAll, describe, expect, it, vi } from "vitest";
import { PdfError, PdfPool } from "#app/documents/pdf-pool.server.ts";
import { refundSpend } from "#app/domain/billing/refunds/refund-spend.server.ts";
import { settleDelivery } from "#app/domain/billing/settle-delivery.server.ts";
import type { CalendarDate } from "#app/domain/calendar-date.ts";
import { asCents } from "#app/domain/money.ts";
import { links } from "#app/root.tsx";
import * as exported from "#app/screens/shared/billing/overview/csv.ts";
import * as screen from "#app/screens/shared/billing/overview/route.tsx";
import * as exportedStatement from "#app/screens/shared/billing/statement/csv.ts";
import * as statementPdf from "#app/screens/shared/billing/statement/pdf.ts";
import * as statement from "#app/screens/shared/billing/statement/route.tsx";
import { lineItems } from "#db/schema/index.ts";
import { asOperator } from "#tests/domain/accounts/people.ts";
import { planCents } from "#tests/support/plan-prices.ts";
import { useWorld, visit } from "../publisher/portal.ts";

const world = useWorld();
const hostile = '=cmd|"x"!A1, "y"';

/** 31 days of two campaigns, the one with a name that a spreadsheet would run; settled every day. */
beforeAll(async () => {
  const today = world().today();
  const changes = { start_date: today, end_date: "2027-06-30", budget: 90_000, daily_budget: 900 };
  const ids = [
    await world().aRunningCampaign({ changes }),
    await world().aRunningCampaign({ changes: { ...changes, name: hostile } }),
  ];
  for (let day = 0; day < 31; day += 1) {
    for (const [at, id] of ids.entries()) await world().deliver(id, { spendMicros: 3_333_333 * (day + at + 1) });
    world().advanceDays(1);
    await settleDelivery(world().job);
  }
});

type Loaded = Awaited<ReturnType<typeof screen.loader>>["loaded"];
async function load(who: "northwind" | "brightside" | "harbor" | "fern", query: string): Promise<Loaded> {
  const portal = who === "northwind" || who === "brightside" ? "advertiser" : "publisher";
  const { status, body } = await visit(world(), who, screen.loader, `/${portal}/billing${query}`);
  expect(status).toBe(200);
  return (body as { loaded: Loaded }).loaded;
}

/** The body of the file, its lines split at commas; the test's names have their own. */
async function fileOf(who: "northwind" | "harbor", query: string): Promise<string[]> {
  const portal = who === "northwind" ? "advertiser" : "publisher";
  const { status, body } = await visit(world(), who, exported.loader, `/${portal}/billing/export.csv${query}`);
  expect(status).toBe(200);
  return String(body).trimEnd().split("\r\n");
}

describe("an advertiser's billing", () => {
  it("shows five recent transactions and the sum of all its spend", async () => {
    const loaded = await load("northwind", "");
    if (loaded.tab !== "overview") throw new Error("the overview comes first");
    expect(loaded.transactions).toHaveLength(5);
    expect(loaded).toMatchObject({ spend: spendOf(31, 0) + spendOf(31, 1), earnings: null });
    expect(loaded).not.toHaveProperty("subscription");
  });

  it("lists every transaction in pages, forward and back, and filters them by type and month", async () => {
    const first = await load("northwind", "?tab=spend");
    if (first.tab !== "spend") throw new Error("the tab of the address");
    expect(first.page.rows).toHaveLength(25);
    expect(first.months).toEqual(["2026-12", "2026-11"]);
    const second = await load("northwind", `?tab=spend&cursor=${first.page.nextCursor}`);
    if (second.tab !== "spend") throw new Error("the tab of the address");
    const back = await load("northwind", `?tab=spend&cursor=${second.page.previousCursor}`);
    expect(back).toMatchObject({ page: { rows: first.page.rows } });
    expect(second.page.rows.some(({ id }) => first.page.rows.some((row) => row.id === id))).toBe(false);
    const november = await load("northwind", "?tab=spend&type=campaign_spend&month=2026-11");
    expect(november).toMatchObject({ page: { rows: expect.toSatisfy((rows: unknown[]) => rows.length === 20) } });
    expect(await load("northwind", "?tab=spend&type=top_up")).toMatchObject({ page: { rows: [] } });
  });

  it("exports the filtered rows, without formulas", async () => {
    const lines = await fileOf("northwind", "?tab=spend&month=2026-11");
    expect(lines).toHaveLength(21);
    expect(lines[0]).toBe("Date,Description,Type,Status,Amount (USD),ID,Publisher");
    expect(lines.filter((line) => line.includes(`"'=cmd|""x""!A1, ""y"""`))).toHaveLength(10);
    expect(lines.some((line) => /(^|,)"?[=+@]/.test(line))).toBe(false);
    expect((await fileOf("northwind", "?tab=spend")).length).toBe(63);
  });

  it("is empty without transactions, and has no tab of the other user type", async () => {
    expect(await load("brightside", "?tab=earnings")).toMatchObject({ tab: "overview", transactions: [], spend: 0 });
    expect(await load("brightside", "?tab=spend")).toMatchObject({ months: [], page: { rows: [] } });
  });
});

describe("a publisher's billing", () => {
  it("shows its earnings and its plan", async () => {
    const loaded = await load("harbor", "");
    const all = Math.floor((spendOf(31, 0) * 7) / 10) + Math.floor((spendOf(31, 1) * 7) / 10);
    expect(loaded).toMatchObject({ earnings: { totalEarnings: all, paid: 0 }, transactions: [], spend: null });
    if (loaded.tab !== "overview" || !loaded.earnings) throw new Error("the overview comes first");
    expect(loaded.earnings.pending + loaded.earnings.available).toBe(all);
    expect(loaded).toMatchObject({ subscription: { planType: "enterprise", monthlyAmount: planCents.enterprise } });
  });

  it("shows on every line what is earned of the spend, and in the file the fee as negative", async () => {
    const loaded = await load("harbor", "?tab=earnings");
    if (loaded.tab !== "earnings") throw new Error("the tab of the address");
    for (const { spend, fee, earnings } of loaded.page.rows) expect(spend - fee).toBe(earnings);
    const lines = await fileOf("harbor", "?tab=earnings&status=pending");
    expect(lines).toHaveLength(63);
    const cents = lines.slice(1).map((line) =>
      line
        .split(",")
        .slice(-5, -2)
        .map((text) => Math.round(Number(text) * 100)),
    );
    for (const [spend = 0, fee = 0, earning = 0] of cents) expect(spend + fee).toBe(earning);
    expect(cents.reduce((sum, [spend = 0]) => sum + spend, 0)).toBe(spendOf(31, 0) + spendOf(31, 1));
    expect(await load("harbor", "?tab=earnings&status=paid")).toMatchObject({ page: { rows: [] } });
    expect(await load("fern", "?tab=earnings")).toMatchObject({ months: [], page: { rows: [] } });
  });
});

it("a month's statement is a file from its opening to its closing balance", async () => {
  for (const [who, portal] of [
    ["northwind", "advertiser"],
    ["harbor", "publisher"],
  ] as const) {
    const at = `/${portal}/billing/statements`;
    const { body } = await visit(world(), who, statement.loader, `${at}?month=2026-11`);
    const { opening, closing, rows } = (body as Awaited<ReturnType<typeof statement.loader>>).statement;
    const file = await visit(world(), who, exportedStatement.loader, `${at}/export.csv?month=2026-11`);
    const lines = String(file.body).trimEnd().split("\r\n");
    expect(lines).toHaveLength(rows.length + 3);
    const publisher = who === "northwind" ? "," : "";
    expect(lines[1]).toBe(`2026-11-01,Opening balance,,${opening / 100}${publisher}`);
    expect(lines.at(-1)).toBe(`,Closing balance,,${closing / 100}${publisher}`);
    expect(lines.some((line) => /(^|,)"?[=+@]/.test(line))).toBe(false);
    const pdfResponse = await visit(world(), who, statementPdf.loader, `${at}/statement.pdf?month=2026-11`);
    expect([pdfResponse.status, String(pdfResponse.body).slice(0, 5)]).toEqual([200, "%PDF-"]);
    const method = "HEAD";
    const head = await visit(world(), who, statementPdf.loader, `${at}/statement.pdf?month=2026-11`, { method });
    expect([head.status, head.body, [...head.headers]]).toEqual([200, "", [...pdfResponse.headers]]);
    for (const query of ["?month=2026-13", "?month=infinity&cursor=x", ""]) {
      expect((await visit(world(), who, statement.loader, at + query)).status).toBe(200);
    }
  }
});

it("a statement that can't be written now gets a page in the product's looks", async () => {
  vi.spyOn(PdfPool.prototype, "write").mockRejectedValue(new PdfError("busy"));
  const path = "/publisher/billing/statements/statement.pdf?month=2026-11";
  const { status, headers, body } = await visit(world(), "harbor", statementPdf.loader, path);
  expect([status, headers.get("Retry-After")]).toEqual([503, "5"]);
  expect(body).toContain("Many documents are being prepared right now. Try again in a few seconds.");
  const [stylesheet] = links().flatMap((link) => ("rel" in link && link.rel === "stylesheet" ? [link.href] : []));
  expect(body).toContain(`<link rel="stylesheet" href="${stylesheet}">`);
});

it.each(["advertiser", "publisher"] as const)("no URL of an %s's billing fails", async (portal) => {
  const who = portal === "advertiser" ? "northwind" : "harbor";
  for (const query of [
    "?tab=secret&type=x&status=y&month=2026-13&cursor=nothing",
    "?tab=transactions&month=infinity",
    "?tab=spend&month=9999-01&type=%00",
  ]) {
    expect((await visit(world(), who, screen.loader, `/${portal}/billing${query}`)).status).toBe(200);
    expect((await visit(world(), who, exported.loader, `/${portal}/billing/export.csv${query}`)).status).toBeLessThan(
      400,
    );
  }
});

/** Returns the spend of a campaign over so many days, in whole cents. */
function spendOf(days: number, extra: number): number {
  let micros = 0;
  for (let day = 0; day < days; day += 1) micros += 3_333_333 * (day + extra + 1);
  return Math.floor(micros / 10_000);
}

describe("what a publisher's plan is paid from", () => {
  const choose = (pay_from: string) =>
    visit(world(), "harbor", screen.action, "/publisher/billing?tab=subscription", { form: { pay_from } });

  it("is chosen on the subscription tab, which then shows it; other values are rejected", async () => {
    expect((await choose("earnings")).location).toBe("/publisher/billing?tab=subscription");
    expect(await load("harbor", "?tab=subscription")).toMatchObject({
      funding: { payFrom: "earnings" },
      subscription: { payFrom: "earnings" },
    });
    expect((await choose("nonsense")).status).toBe(422);
    expect((await choose("payment_method")).status).toBe(302);
    expect(await load("harbor", "?tab=subscription")).toMatchObject({ funding: { payFrom: "payment_method" } });
  });
});

it("a late report of a closed month is named as its adjustment in lists, statements and files", async () => {
  world().setNow("2027-01-20T12:00:00Z");
  const id = await world().aRunningCampaign({
    changes: { name: "Late", start_date: "2027-01-20", end_date: "2027-06-30" },
  });
  await world().deliver(id, { spendMicros: 40_000_000 });
  world().setNow("2027-01-21T12:00:00Z");
  await settleDelivery(world().job);
  world().setNow("2027-03-20T12:00:00Z");
  await world().deliver(id, { day: "2027-01-20" as CalendarDate, spendMicros: 10_000_000 });
  await settleDelivery(world().job);
  const adjustment = "Adjustment for January 2027";
  expect(await fileOf("northwind", "?tab=spend&month=2027-03")).toEqual([
    "Date,Description,Type,Status,Amount (USD),ID,Publisher",
    expect.stringMatching(new RegExp(`^2027-03-20,Late \\(${adjustment}\\),Campaign spend,succeeded,30,`)),
  ]);
  expect(await fileOf("harbor", "?tab=earnings&month=2027-03")).toEqual([
    expect.stringMatching(/^Date,Campaign,/),
    expect.stringMatching(new RegExp(`^2027-03-20,Late \\(${adjustment}\\),-30,9,-21,`)),
  ]);
  for (const [who, amount] of [
    ["northwind", 30],
    ["harbor", -21],
  ] as const) {
    const portal = who === "northwind" ? "advertiser" : "publisher";
    const at = `/${portal}/billing/statements/export.csv?month=2027-03`;
    const { body } = await visit(world(), who, exportedStatement.loader, at);
    const publisher = who === "northwind" ? ",Harbor Goods" : "";
    expect(String(body).split("\r\n")).toContain(`2027-03-20,${adjustment},Late,${amount}${publisher}`);
    const january = await visit(world(), who, exportedStatement.loader, at.replace("-03", "-01"));
    expect(String(january.body)).not.toContain("Adjustment");
  }
});

it("spend of one campaign and day says at which publisher, on screens and in files, as does its refund", async () => {
  world().setNow("2027-04-05T12:00:00Z");
  const id = await world().aRunningCampaign({
    audiences: ["hikers", "coffeeDrinkers"],
    approvedBy: ["harbor", "fern"],
    changes: { start_date: "2027-04-05", end_date: "2027-06-30" },
  });
  await world().deliver(id, { spendMicros: 4_000_000 });
  await world().deliver(id, { spendMicros: 5_000_000, audienceId: world().audience("coffeeDrinkers") });
  world().setNow("2027-04-06T12:00:00Z");
  await settleDelivery(world().job);
  const [item] = await world()
    .db.select({ id: lineItems.id })
    .from(lineItems)
    .where(and(eq(lineItems.campaignId, id), eq(lineItems.publisherId, world().harbor.actor.accountId)));
  if (!item) throw new Error("a running campaign has a line item of each publisher");
  await refundSpend({ ...asOperator(), clock: world().job.clock }, { lineItemId: item.id, amount: asCents(100) });

  const loaded = await load("northwind", "?tab=spend&month=2027-04&sort=amount");
  if (loaded.tab !== "spend") throw new Error("the tab of the address");
  const on = (publisherName: string) => ({ campaignId: id, publisherName });
  expect(loaded.page.rows.map(({ type, amount, spentOn }) => [type, amount, spentOn])).toEqual([
    ["refund", 100, on("Harbor Goods")],
    ["campaign_spend", 400, on("Harbor Goods")],
    ["campaign_spend", 500, on("Fern & Field Market")],
  ]);
  const lines = (await fileOf("northwind", "?tab=spend&month=2027-04&sort=amount")).slice(1);
  expect(lines.map((line) => line.split(",").at(-1))).toEqual(["Harbor Goods", "Harbor Goods", "Fern & Field Market"]);

  const statementOf = async (who: "northwind" | "harbor") => {
    const at = `/${who === "northwind" ? "advertiser" : "publisher"}/billing/statements?month=2027-04`;
    const { body } = await visit(world(), who, statement.loader, at);
    const { rows } = (body as Awaited<ReturnType<typeof statement.loader>>).statement;
    return rows.filter(({ description }) => description === loaded.page.rows[0]?.description);
  };
  const stated = (await statementOf("northwind")).map(({ amount, publisherName }) => [amount, publisherName]);
  expect(stated).toHaveLength(3);
  expect(stated).toEqual(
    expect.arrayContaining([
      [100, "Harbor Goods"],
      [-400, "Harbor Goods"],
      [-500, "Fern & Field Market"],
    ]),
  );
  expect(new Set((await statementOf("harbor")).map(({ publisherName }) => publisherName))).toEqual(new Set([null]));
});

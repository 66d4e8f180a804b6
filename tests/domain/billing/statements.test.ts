import fc from "fast-check";
import { beforeAll, describe, expect, test } from "vitest";
import { sendDuePayouts } from "#app/domain/billing/payouts/send-due-payouts.server.ts";
import { startMonthlyPayouts } from "#app/domain/billing/payouts/start-monthly-payouts.server.ts";
import { refundSpend } from "#app/domain/billing/refunds/refund-spend.server.ts";
import { settleDelivery } from "#app/domain/billing/settle-delivery.server.ts";
import {
  getStatement,
  type StatementLine,
  streamStatementLines,
} from "#app/domain/billing/statements/get-statement.server.ts";
import { statementLabel } from "#app/domain/billing/statements/statement-copy.ts";
import { addDays, type CalendarDate } from "#app/domain/calendar-date.ts";
import { addMonths, type CalendarMonth } from "#app/domain/calendar-month.ts";
import type { Ctx, TenantActor } from "#app/domain/context.ts";
import { asCents } from "#app/domain/money.ts";
import { lineItems } from "#db/schema/index.ts";
import { asOperator } from "#tests/domain/accounts/people.ts";
import { useDatabase } from "#tests/support/database/database.ts";
import { createWorld, type World } from "#tests/support/world.ts";

const db = useDatabase();
let world: World;
beforeAll(async () => {
  world = await createWorld(db());
  const changes = { start_date: "2026-11-20", end_date: "2027-12-31", budget: 900_000, daily_budget: 9_000 };
  const id = await world.aRunningCampaign({ changes, audiences: ["hikers"] });
  for (let day = "2026-11-20" as CalendarDate; day < "2027-02-03"; day = addDays(day, 6)) {
    world.setNow(`${day}T12:00:00Z`);
    await world.deliver(id, { day, spendMicros: 77_777_777 });
    if (day === "2026-12-08") await world.deliver(id, { day: "2026-12-02" as CalendarDate, spendMicros: 1_000_000 });
    world.advanceDays(1);
    await settleDelivery(world.job);
    await startMonthlyPayouts(world.job);
    await sendDuePayouts(world.job);
  }
});

const month = (text: string) => text as CalendarMonth;

async function allLines(ctx: Ctx<TenantActor>, of: CalendarMonth, limit: number): Promise<StatementLine[]> {
  const lines: StatementLine[] = [];
  for (let cursor: string | undefined, more = true; more; ) {
    const page = await getStatement(ctx, { month: of, limit, cursor });
    lines.push(...page.rows);
    cursor = page.nextCursor ?? undefined;
    more = cursor !== undefined;
  }
  return lines;
}

describe("a month's statement", () => {
  test("adds up from its opening to its closing balance, in pages of any size, and continues the month before", async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.constantFrom("northwind" as const, "harbor" as const, "fern" as const),
        fc.integer({ min: 0, max: 5 }),
        fc.integer({ min: 1, max: 4 }),
        async (who, after, limit) => {
          const of = addMonths(month("2026-10"), after);
          const { opening, closing } = await getStatement(world[who], { month: of });
          const lines = await allLines(world[who], of, limit);
          expect(opening + lines.reduce((sum, { amount }) => sum + amount, 0)).toBe(closing);
          expect(new Set(lines.map(({ id }) => id)).size).toBe(lines.length);
          expect(lines.every(({ at }) => at.toISOString().startsWith(of))).toBe(true);
          const next = await getStatement(world[who], { month: addMonths(of, 1) });
          expect(next.opening).toBe(closing);
        },
      ),
      { numRuns: 25 },
    );
  });

  test("an export reads at once what a screen reads in pages", async () => {
    for (const who of ["northwind", "harbor"] as const) {
      const parts: StatementLine[][] = [];
      for await (const lines of streamStatementLines(world[who], month("2026-12"))) parts.push([...lines]);
      const paged = await allLines(world[who], month("2026-12"), 2);
      expect(paged.length).toBeGreaterThan(2);
      expect(parts).toEqual([paged]);
    }
  });

  test("names the campaign of a refund, for each party", async () => {
    const [item] = await db().select({ id: lineItems.id }).from(lineItems);
    const operator = { ...asOperator(), clock: world.clock };
    await refundSpend(operator, { lineItemId: item?.id ?? expect.fail(), amount: asCents(1_000) });
    const refundLine = async (ctx: Ctx<TenantActor>) =>
      (await allLines(ctx, month("2027-02"), 5)).find(({ event }) => event === "refund");
    expect(await refundLine(world.northwind)).toMatchObject({ description: "Ridgeline Packs", amount: 1_000 });
    expect(await refundLine(world.harbor)).toMatchObject({ description: "Ridgeline Packs", amount: -700 });
  });

  test("shows what changed the balance, for each party", async () => {
    const advertiser = await getStatement(world.northwind, { month: month("2026-12") });
    expect(advertiser.rows).toContainEqual(
      expect.objectContaining({ event: "campaign_spend", description: "Ridgeline Packs", amount: -7_777 }),
    );
    const publisher = await getStatement(world.harbor, { month: month("2027-01") });
    expect(publisher.rows.map((line) => statementLabel(line, "publisher"))).toEqual(
      expect.arrayContaining(["Earnings", "Payout"]),
    );
    const payout = publisher.rows.find(({ event }) => event === "payout_started");
    expect(payout).toMatchObject({ description: "Sandbox Bank ending 6789" });
    expect(payout?.amount).toBeLessThan(0);
  });

  test("of an account without transactions is empty", async () => {
    const { opening, closing, rows } = await getStatement(world.fern, { month: month("2026-12") });
    expect({ opening, closing, rows: [...rows] }).toEqual({ opening: 0, closing: 0, rows: [] });
  });
});

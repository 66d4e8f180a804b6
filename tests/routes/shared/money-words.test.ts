import { eq } from "drizzle-orm";
import { createElement } from "react";
import { beforeAll, describe, expect, it } from "vitest";
import { recordRepayment } from "#app/domain/billing/bank-transfers/record-repayment.server.ts";
import { getEarnings } from "#app/domain/billing/get-earnings.server.ts";
import { listTransactions, sumAdSpend } from "#app/domain/billing/list-transactions.server.ts";
import { moneyTerms } from "#app/domain/billing/money-words.ts";
import { setPayoutAccount } from "#app/domain/billing/payouts/payout-account.server.ts";
import { requestPayout } from "#app/domain/billing/payouts/request-payout.server.ts";
import { sendDuePayouts } from "#app/domain/billing/payouts/send-due-payouts.server.ts";
import { refundSpend } from "#app/domain/billing/refunds/refund-spend.server.ts";
import { settleDelivery } from "#app/domain/billing/settle-delivery.server.ts";
import { getStatement } from "#app/domain/billing/statements/get-statement.server.ts";
import { signedAmount } from "#app/domain/billing/transaction.ts";
import { addDays } from "#app/domain/calendar-date.ts";
import { calendarMonthOf } from "#app/domain/calendar-month.ts";
import { getCampaign } from "#app/domain/campaigns/get-campaign.server.ts";
import { listCampaigns } from "#app/domain/campaigns/list-campaigns.server.ts";
import type { CampaignId } from "#app/domain/ids.ts";
import { asCents, centsToDollars, formatCents } from "#app/domain/money.ts";
import * as campaignPage from "#app/screens/advertiser/campaigns/detail/route.tsx";
import * as exportedCampaigns from "#app/screens/advertiser/campaigns/list/csv.ts";
import * as advertiserDashboard from "#app/screens/advertiser/dashboard/route.tsx";
import * as campaigns from "#app/screens/publisher/campaigns/list/route.tsx";
import * as dashboard from "#app/screens/publisher/dashboard/route.tsx";
import * as revenue from "#app/screens/publisher/revenue/overview/route.tsx";
import * as analytics from "#app/screens/shared/analytics/route.tsx";
import * as exported from "#app/screens/shared/billing/overview/csv.ts";
import * as billing from "#app/screens/shared/billing/overview/route.tsx";
import * as statement from "#app/screens/shared/billing/statement/route.tsx";
import { lineItemSettlements } from "#db/schema/index.ts";
import { demoUserId } from "#db/seed/demo-accounts.ts";
import { renderInRouter } from "#tests/support/render-in-router.ts";
import { clientOf } from "../../api/api.ts";
import { asOperator } from "../../domain/accounts/people.ts";
import { useWorld, visit } from "../publisher/portal.ts";

const world = useWorld();
let id: CampaignId;

/** Twelve days settled, one payout paid, a refund, a restatement, and a day that is not settled yet. */
beforeAll(async () => {
  const changes = { start_date: world().today(), end_date: "2027-06-30", budget: 90_000, daily_budget: 9_000 };
  id = await world().aRunningCampaign({ changes });
  const other = await world().aRunningCampaign({ changes });
  await setPayoutAccount(world().harbor, { token: "bank_sandbox" });
  for (let day = 0; day < 12; day += 1) {
    await world().deliver(id, { spendMicros: 33_333_333 * (day + 1) });
    await world().deliver(other, { spendMicros: 7_777_777, impressions: 90_000 });
    world().advanceDays(1);
    await settleDelivery(world().job);
  }
  await requestPayout(world().harbor, {});
  await sendDuePayouts(world().job);
  const [item] = (await getCampaign(world().northwind, id)).lineItems;
  if (!item) throw new Error("a running campaign has a line item");
  await refundSpend(
    { ...asOperator(), db: world().db, clock: world().clock },
    { lineItemId: item.id, amount: asCents(1_234) },
  );
  await world().deliver(id, { spendMicros: 55_555_555 });
});

const figures = () => getEarnings(world().harbor);

/** The text of a screen, without tags; `id` names the campaign of its page. */
async function screenText(
  screen: { loader: Parameters<typeof visit>[2]; default: () => unknown },
  path: string,
  params: Record<string, string> = {},
) {
  const who = path.startsWith("/publisher/") ? "harbor" : "northwind";
  const { status, body } = await visit(world(), who, screen.loader, path, { params });
  expect(status).toBe(200);
  const html = await renderInRouter("/shop/here", createElement(screen.default as () => React.ReactElement), {
    loaded: body,
  });
  return html
    .replace(/<svg.*?<\/svg>/g, "")
    .replace(/<[^>]*>/g, "|")
    .replace(/\|+/g, "|")
    .replaceAll("&#x27;", "'");
}

const tile = (label: string, cents: Parameters<typeof formatCents>[0]) => `|${label}|${formatCents(cents)}|`;

describe("the amounts", () => {
  it("add up: earnings by their statuses, and the commission as settled, refunded and unsettled", async () => {
    const all = await figures();
    expect(all.totalEarnings).toBe(
      all.pending + all.available + all.inTransit + all.paid + all.appliedToPlan - all.repaid,
    );
    expect(all.commissionEarned).toBe(all.totalEarnings + all.notSettled + all.refunded);
    for (const part of [all.pending, all.paid, all.notSettled, all.refunded]) expect(part).toBeGreaterThan(0);
  });

  it("are the same on billing, earnings, revenue, campaigns and the dashboard", async () => {
    const all = await figures();
    const states = [
      tile("Total earnings", all.totalEarnings),
      tile("Pending", all.pending),
      tile("Available", all.available),
      tile("Paid", all.paid),
    ];
    for (const [screen, path] of [
      [billing, "/publisher/billing"],
      [billing, "/publisher/billing?tab=earnings"],
      [revenue, "/publisher/revenue"],
    ] as const) {
      const text = await screenText(screen, path);
      for (const shown of states) expect(text, path).toContain(shown);
      expect(text, path).toContain(`plus ${formatCents(all.notSettled)} not settled yet`);
      for (const word of ["total_earnings", "pending", "available", "paid"] as const) {
        expect(text, path).toContain(moneyTerms[word].definition);
      }
    }
    const list = await screenText(campaigns, "/publisher/campaigns");
    expect(list).toContain(tile("Commission Earned", all.commissionEarned));
    expect(list).toContain(`${formatCents(all.totalEarnings)} total earnings`);
    expect(list).toContain(moneyTerms.commission_earned.definition);
    expect(await screenText(dashboard, "/publisher/dashboard")).toContain(
      `${formatCents(all.commissionEarned)} all time`,
    );
  });

  it("are the same in the API and the exports", async () => {
    const all = await figures();
    const api = await clientOf(demoUserId("harbor"));
    const shares = await api("GET /api/billing/revenue-shares", {});
    expect(shares.body).toMatchObject({ total_earnings: centsToDollars(all.totalEarnings) });
    expect((await api("GET /api/billing/payouts", {})).body).toMatchObject({
      balance: {
        earned: centsToDollars(all.totalEarnings),
        held: centsToDollars(all.pending),
        available: centsToDollars(all.available),
        in_transit: centsToDollars(all.inTransit),
        paid: centsToDollars(all.paid),
        paid_for_plans: centsToDollars(all.appliedToPlan),
        repaid: centsToDollars(all.repaid),
      },
    });
    const managed = await api("GET /api/retailer/campaigns", {});
    if (managed.error) throw new Error("the publisher's campaigns");
    const commissions = managed.body.campaigns.map((campaign) => Math.round(campaign.commission_earned * 100));
    expect(commissions.reduce((sum, cents) => sum + cents, 0)).toBe(all.commissionEarned);
    const { body } = await visit(world(), "harbor", exported.loader, "/publisher/billing/export.csv?tab=earnings");
    const rows = String(body).trimEnd().split("\r\n").slice(1);
    const earned = rows.map((row) => Math.round(Number(row.split(",")[4]) * 100));
    expect(earned.reduce((sum, cents) => sum + cents, 0)).toBe(all.totalEarnings);
  });

  it("have one figure for spend on the advertiser's screens, in the API and the exports, with its definition", async () => {
    const { rows } = await listCampaigns(world().northwind, { limit: 100 });
    const spent = asCents(rows.reduce((sum, row) => sum + row.spentCents, 0));
    const settled = await sumAdSpend(world().northwind);
    expect(spent).toBeGreaterThan(settled);
    const home = await screenText(advertiserDashboard, "/advertiser/dashboard");
    expect(home).toContain(tile("Total Spend", spent));
    const compared = await screenText(analytics, "/advertiser/analytics");
    expect(compared).toContain(tile("Spend", spent));
    const campaign = await getCampaign(world().northwind, id);
    const detail = await screenText(campaignPage, `/advertiser/campaigns/${id}`, { id });
    expect(detail).toContain(tile("Spent", campaign.spentCents));
    for (const text of [home, compared, detail]) expect(text).toContain(moneyTerms.spend.definition);
    const overview = await screenText(billing, "/advertiser/billing");
    expect(overview).toContain(tile("Total ad spend", settled));
    expect(overview).toContain(moneyTerms.total_ad_spend.definition);

    const api = await clientOf(demoUserId("northwind"));
    const listed = await api("GET /api/campaigns", {});
    if (listed.error) throw new Error("the advertiser's campaigns");
    expect(listed.body.campaigns.reduce((sum, row) => sum + Math.round(row.spent * 100), 0)).toBe(spent);
    expect((await api("GET /api/analytics", {})).body).toMatchObject({ totals: { spend: centsToDollars(spent) } });
    const selected = rows.map((row) => `campaign=${row.id}`).join("&");
    const path = `/advertiser/campaigns/export.csv?${selected}`;
    const { body } = await visit(world(), "northwind", exportedCampaigns.loader, path);
    const figures = String(body).trimEnd().split("\r\n").slice(1);
    const spend = figures.map((row) => Math.round(Number(row.replace(/"[^"]*"/g, "").split(",")[5]) * 100));
    expect(spend.reduce((sum, cents) => sum + cents, 0)).toBe(spent);
  });

  it("define the publisher's figures of a period, of a campaign and of a statement", async () => {
    for (const [screen, path, copy] of [
      [analytics, "/publisher/analytics", ["period_earnings", "spend", "earned_cpm"]],
      [dashboard, "/publisher/dashboard", ["period_earnings", "commission_earned"]],
      [statement, "/publisher/billing/statements", ["opening_balance", "closing_balance"]],
    ] as const) {
      const text = await screenText(screen, path);
      for (const word of copy) expect(text, path).toContain(moneyTerms[word].definition);
    }
  });

  it("name what the publisher repaid after a refund of what it was paid", async () => {
    expect(await screenText(revenue, "/publisher/revenue")).not.toContain(moneyTerms.repaid.definition);
    const operator = { ...asOperator(), db: world().db, clock: world().clock };
    const [item] = (await getCampaign(world().northwind, id)).lineItems;
    const lineItemId = item?.id ?? expect.fail("no line item");
    const known = eq(lineItemSettlements.lineItemId, lineItemId);
    const [settled] = await world().db.select().from(lineItemSettlements).where(known);
    const rest = asCents((settled?.spendCents ?? 0) - 1_234);
    await refundSpend(operator, { lineItemId, amount: rest });
    const { pending, available } = await figures();
    const owed = asCents(-pending - available);
    const accountId = world().accountId("harbor");
    await recordRepayment(operator, { accountId, amount: owed, reference: "BANK 1" });
    const all = await figures();
    expect(all).toMatchObject({ repaid: owed, pending, available: -pending });
    expect(all.totalEarnings).toBe(all.inTransit + all.paid + all.appliedToPlan - all.repaid);
    for (const [screen, path] of [
      [billing, "/publisher/billing?tab=earnings"],
      [revenue, "/publisher/revenue"],
    ] as const) {
      const text = await screenText(screen, path);
      expect(text, path).toContain(`${formatCents(owed)} repaid`);
      expect(text, path).toContain(moneyTerms.repaid.definition);
    }
    const api = await clientOf(demoUserId("harbor"));
    expect((await api("GET /api/billing/payouts", {})).body).toMatchObject({
      balance: { earned: centsToDollars(all.totalEarnings), repaid: centsToDollars(owed) },
    });
    const month = calendarMonthOf(world().clock());
    expect((await api("GET /api/billing/statements", { query: { month } })).body).toMatchObject({
      statement: {
        lines: expect.arrayContaining([expect.objectContaining({ type: "repayment", amount: owed / 100 })]),
      },
    });
    expect(await screenText(statement, `/publisher/billing/statements?month=${month}`)).toContain(
      "Repayment by bank transfer, reference BANK 1",
    );
  });

  it("have the sign of the statement in each transaction", async () => {
    for (const side of ["northwind", "harbor"] as const) {
      const ctx = world()[side];
      const lines = await Promise.all(
        [world().today(), addDays(world().today(), -20)].map(
          async (day) => (await getStatement(ctx, { month: calendarMonthOf(new Date(day)), limit: 100 })).rows,
        ),
      );
      const signed = (await listTransactions(ctx, { limit: 100 })).rows
        .filter(({ status }) => status === "succeeded")
        .map((row) => signedAmount(row, ctx.actor.kind));
      expect(signed.length).toBeGreaterThan(0);
      const onStatement = lines.flat().map(({ amount }) => Number(amount));
      for (const amount of signed) expect(onStatement, side).toContain(amount);
    }
  });
});

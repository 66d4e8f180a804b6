import type { LoaderFunctionArgs } from "@remix-run/node";
import { beforeAll, beforeEach, describe, expect, test } from "vitest";
import { getEarnings } from "#app/domain/billing/get-earnings.server.ts";
import { setPayoutAccount } from "#app/domain/billing/payouts/payout-account.server.ts";
import { requestPayout } from "#app/domain/billing/payouts/request-payout.server.ts";
import { sendDuePayouts } from "#app/domain/billing/payouts/send-due-payouts.server.ts";
import { settleDelivery } from "#app/domain/billing/settle-delivery.server.ts";
import { getStatement } from "#app/domain/billing/statements/get-statement.server.ts";
import { getWallet } from "#app/domain/billing/wallet/get-wallet.server.ts";
import { addDays } from "#app/domain/calendar-date.ts";
import { calendarMonthOf } from "#app/domain/calendar-month.ts";
import { ingestDeliveryReport } from "#app/domain/delivery/ingest-delivery-report.server.ts";
import type { CampaignId } from "#app/domain/ids.ts";
import { pageLimits } from "#app/domain/page.ts";
import * as campaignPage from "#app/screens/advertiser/campaigns/detail/route.tsx";
import * as advertiserDashboard from "#app/screens/advertiser/dashboard/route.tsx";
import * as audiencePage from "#app/screens/publisher/audiences/detail/route.tsx";
import * as lineItemPage from "#app/screens/publisher/campaigns/detail/route.tsx";
import * as lineItemList from "#app/screens/publisher/campaigns/list/route.tsx";
import * as publisherDashboard from "#app/screens/publisher/dashboard/route.tsx";
import { loadAnalytics } from "#app/screens/shared/analytics/load-analytics.server.ts";
import { loadBilling } from "#app/screens/shared/billing/overview/load-billing.server.ts";
import * as statementFile from "#app/screens/shared/billing/statement/csv.ts";
import { useWorld } from "#tests/routes/publisher/portal.ts";
import { faultTimeoutMs, isFullFaultRun } from "#tests/support/fault-runs.ts";
import { commitAfterEachStatementOf, noneTorn, type Read, tornFigures } from "./commit-after-statements.ts";

/** As in the trial on a cluster that found torn reads (docs/decisions/0106). */
const fullReads = 400;
/** The commits are a part of the read's transaction, whose time they take. */
const world = useWorld({ deadlineMs: faultTimeoutMs });
const cookies: Record<string, string> = {};
let id: CampaignId;
/** Of two days: one that only settlements change, and today, which is not settled. */
const delivered = { settledMicros: 200_000_000, todayMicros: 0, reports: 0 };
/** What each report adds, in cents: no sum of the one is a multiple of the other for as long as the test runs. */
const steps = { settled: 10_000, today: 3 } as const;

beforeAll(async () => {
  const changes = { start_date: world().today(), end_date: "2027-06-30", budget: 90_000_000, daily_budget: 9_000_000 };
  id = await world().aRunningCampaign({ audiences: ["hikers", "campers"], changes });
  await setPayoutAccount(world().harbor, { token: "bank_sandbox" });
  world().advanceDays(12);
  await commitChanges();
  funds = await fundsInBilling();
});

/** After the world's hook has set the clock, by which a session ends. */
beforeEach(async () => {
  for (const who of ["northwind", "harbor"] as const) cookies[who] ??= await world().cookieOf(who);
});

const settledDay = () => addDays(world().today(), -10);

/** A report of two days and a settlement, and each third time a payout, each in a transaction of its own. */
async function commitChanges(): Promise<void> {
  delivered.settledMicros += steps.settled * 10_000;
  delivered.todayMicros += steps.today * 10_000;
  delivered.reports += 1;
  const figures = { impressions: 1_000 + 7 * delivered.reports, clicks: 10 + delivered.reports, conversions: 1 };
  const more = { campaignId: id, source: "test", revenueMicros: 9_000_000, reach: null, creatives: null };
  const [today, day] = [world().today(), settledDay()];
  const [hikers, campers] = [world().audience("hikers"), world().audience("campers")];
  await ingestDeliveryReport(world().job, {
    rows: [
      { ...figures, ...more, audienceId: hikers, channel: "dv360", day: today, spendMicros: delivered.todayMicros },
      { ...figures, ...more, audienceId: campers, channel: "trade_desk", day, spendMicros: delivered.settledMicros },
    ],
  });
  await settleDelivery(world().job, { through: day });
  if (delivered.reports % 3 > 0) return;
  await requestPayout(world().harbor, {});
  await sendDuePayouts(world().job);
}

function argsOf(path: string, params: Record<string, string> = {}): LoaderFunctionArgs {
  const who = path.startsWith("/advertiser") ? "northwind" : "harbor";
  const request = new Request(new URL(path, "http://localhost:3000"), { headers: { Cookie: cookies[who] ?? "" } });
  return { request, params, context: { nonce: "nonce", requestId: "request", clientAddress: "192.0.2.1" } };
}

const sum = <Row>(rows: readonly Row[], of: (row: Row) => number) => rows.reduce((total, row) => total + of(row), 0);
const impressionsOf = (row: { impressions: number }) => row.impressions;
const spendOf = (row: { spendCents: number }) => row.spendCents;

type Delivery = Awaited<ReturnType<typeof campaignPage.loader>>["delivery"];

function partsOf({ days, channels, audiences }: Delivery) {
  return [days, channels, audiences] as const;
}

async function analyticsOf(who: "northwind" | "harbor", query: string) {
  const { totals, table } = await loadAnalytics(world()[who], new Request(`http://localhost:3000/analytics?${query}`));
  const whole = table.rows.filter(({ parent }) => parent === null);
  const parts = table.rows.filter(({ parent }) => parent !== null);
  return [
    [totals.impressions, sum(whole, impressionsOf), ...(parts.length > 0 ? [sum(parts, impressionsOf)] : [])],
    [totals.spendCents, sum(whole, spendOf), ...(parts.length > 0 ? [sum(parts, spendOf)] : [])],
    // Earnings are the publisher's alone.
    [totals.earnedCents ?? 0, sum(whole, (row) => row.earnedCents ?? 0)],
  ];
}

/** An advertiser's balance and total ad spend together. */
let funds: number;

async function fundsInBilling(): Promise<number> {
  const billing = await loadBilling(world().northwind, new Request("http://localhost:3000/advertiser/billing"));
  if (billing.tab !== "overview" || !billing.wallet) throw new Error("billing begins with an advertiser's overview");
  return billing.wallet.balance + (billing.spend ?? Number.NaN);
}

const reads: Record<string, Read> = {
  "an advertiser's wallet": async () => {
    const { balance, reserved } = await getWallet(world().northwind);
    // Today's report takes from what can still be spent, and a settlement from what is not settled.
    return [[(((balance - reserved) % steps.settled) + steps.settled) % steps.settled, 0]];
  },
  "an advertiser's billing": async () => {
    // What is settled leaves the balance, and nothing else changes it here.
    return [[await fundsInBilling(), funds]];
  },
  "a publisher's earnings": async () => {
    const { commissionEarned, totalEarnings, notSettled, refunded } = await getEarnings(world().harbor);
    return [[commissionEarned, totalEarnings + notSettled + refunded]];
  },
  "a statement": async () =>
    Promise.all(
      [world().northwind, world().harbor].map(async (ctx) => {
        const month = calendarMonthOf(world().clock());
        const { opening, closing, rows } = await getStatement(ctx, { month, limit: pageLimits.max });
        return [closing, opening + sum(rows, ({ amount }) => amount)];
      }),
    ),
  "a statement's file": async () => {
    const response = await statementFile.loader(argsOf("/publisher/billing/statements/export.csv"));
    const amounts = (await response.text())
      .trim()
      .split(/\r?\n/)
      .slice(1)
      .map((line) => Math.round(Number(line.split(",").at(-1)) * 100));
    return [[amounts.at(-1) ?? Number.NaN, sum(amounts.slice(0, -1), (amount) => amount)]];
  },
  "an advertiser's campaign": async () => {
    const { campaign, delivery } = await campaignPage.loader(argsOf(`/advertiser/campaigns/${id}`, { id }));
    return [
      [campaign.impressions, ...partsOf(delivery).map((part) => sum<{ impressions: number }>(part, impressionsOf))],
      [campaign.spentCents, ...partsOf(delivery).map((part) => sum<{ spendCents: number }>(part, spendOf))],
    ];
  },
  "a publisher's campaign": async () => {
    const { campaign, delivery, pace } = await lineItemPage.loader(argsOf(`/publisher/campaigns/${id}`, { id }));
    const today = delivery.days.at(-1)?.spendCents ?? 0;
    return [
      [campaign.impressions, ...partsOf(delivery).map((part) => sum<{ impressions: number }>(part, impressionsOf))],
      [campaign.spentCents, (pace?.spentSoFar ?? 0) + today],
    ];
  },
  "a publisher's campaigns": async () => {
    const { page, counts, earnings } = await lineItemList.loader(argsOf("/publisher/campaigns"));
    return [
      [counts.impressions, sum(page.rows, impressionsOf)],
      [counts.commissionCents, earnings.commissionEarned, sum(page.rows, (row) => row.commissionEarnedCents)],
    ];
  },
  "an advertiser's dashboard": async () => {
    const { compared } = await advertiserDashboard.loader(argsOf("/advertiser"));
    return [[compared.totals.impressions, sum(compared.days, impressionsOf)]];
  },
  "a publisher's dashboard": async () => {
    const { compared, counts } = await publisherDashboard.loader(argsOf("/publisher"));
    return [[compared.totals.earnedCents, sum(compared.days, (day) => day.earnedCents), counts.commissionCents]];
  },
  "an audience": async () => {
    const audience = world().audience("hikers");
    const { figures, days } = await audiencePage.loader(argsOf(`/publisher/audiences/${audience}`, { id: audience }));
    return [[figures.impressions, sum(days, impressionsOf)]];
  },
  "analytics by campaign": () => analyticsOf("northwind", "group=campaign"),
  "analytics by week": () => analyticsOf("harbor", "group=week"),
  "analytics by audience and channel": () => analyticsOf("harbor", "group=audience&split=channel"),
  "analytics of a campaign by audience": () => analyticsOf("northwind", `group=audience&campaign=${id}`),
};

test.each(Object.entries(reads))(
  "%s is of one moment when changes commit between any two of its statements",
  async (_, read) => {
    const commits = commitAfterEachStatementOf(read, commitChanges);
    expect(await tornFigures(commits.read, 1)).toEqual(noneTorn);
    expect(commits.count()).toBeGreaterThan(0);
  },
);

describe.runIf(isFullFaultRun)("beside a writer", () => {
  test.each(Object.entries(reads))(
    `%s is of one moment in each of ${fullReads} reads`,
    async (_, read) => {
      let [isReading, commits] = [true, 0];
      const writer = (async () => {
        for (; isReading; commits += 1) await commitChanges();
      })();
      try {
        expect(await tornFigures(read, fullReads)).toEqual(noneTorn);
      } finally {
        isReading = false;
        await writer;
      }
      expect(commits).toBeGreaterThan(0);
    },
    faultTimeoutMs,
  );
});

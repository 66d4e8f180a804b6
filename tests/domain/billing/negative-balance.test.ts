import { asc, eq } from "drizzle-orm";
import { beforeAll, expect, test } from "vitest";
import { checkLedger } from "#app/domain/billing/ledger/check-ledger.server.ts";
import { getPayoutBalance } from "#app/domain/billing/payouts/get-payout-balance.server.ts";
import { setPayoutAccount } from "#app/domain/billing/payouts/payout-account.server.ts";
import { requestPayout } from "#app/domain/billing/payouts/request-payout.server.ts";
import { sendDuePayouts } from "#app/domain/billing/payouts/send-due-payouts.server.ts";
import { refundSpend } from "#app/domain/billing/refunds/refund-spend.server.ts";
import { settleDelivery } from "#app/domain/billing/settle-delivery.server.ts";
import type { CalendarDate } from "#app/domain/calendar-date.ts";
import type { CampaignId, LineItemId } from "#app/domain/ids.ts";
import { asCents } from "#app/domain/money.ts";
import { describeNotification } from "#app/domain/notifications/notification-copy.ts";
import { createWebhook } from "#app/domain/webhooks/create-webhook.server.ts";
import { listWebhookDeliveries } from "#app/domain/webhooks/list-webhook-deliveries.server.ts";
import { lineItems, mails, notifications } from "#db/schema/index.ts";
import { asOperator } from "#tests/domain/accounts/people.ts";
import { useDatabase } from "#tests/support/database/database.ts";
import { createWorld, type World } from "#tests/support/world.ts";

const db = useDatabase();
let world: World;
let campaign: CampaignId;
let lineItemId: LineItemId;
let firstDay: CalendarDate;

/** Reports the whole spend of a day, which is over, and settles it; 70 % of it is the publisher's. */
async function settle(day: CalendarDate, dollars: number): Promise<void> {
  await world.deliver(campaign, { day, spendMicros: dollars * 1e6 });
  await settleDelivery(world.job);
}
async function settleToday(dollars: number): Promise<void> {
  const day = world.today();
  await world.deliver(campaign, { day, spendMicros: dollars * 1e6 });
  world.advanceDays(1);
  await settleDelivery(world.job);
}
const refund = (dollars: number) =>
  refundSpend({ ...asOperator(), clock: world.clock }, { lineItemId, amount: asCents(dollars * 100) });
async function payOut(): Promise<void> {
  world.advanceDays(8);
  await requestPayout(world.harbor, {});
  while ((await sendDuePayouts(world.job)) > 0);
}
const isNegative = eq(notifications.event, "balance_negative");
const notified = () => db().select().from(notifications).where(isNegative).orderBy(asc(notifications.id));
const titles = async () => (await notified()).map((row) => describeNotification(row, "publisher").title);

/** Harbor Goods was paid all that it earned with its campaign. */
beforeAll(async () => {
  world = await createWorld(db());
  firstDay = world.today();
  const changes = { start_date: firstDay, end_date: "2027-12-31", budget: 900_000, daily_budget: 9_000 };
  campaign = await world.aRunningCampaign({ changes });
  const [item] = await db().select({ id: lineItems.id }).from(lineItems).where(eq(lineItems.campaignId, campaign));
  lineItemId = item?.id ?? expect.fail("no line item");
  await setPayoutAccount(world.harbor, { token: "bank_sandbox" });
  await settleToday(1_000);
  await payOut();
});

test("a restatement that makes the balance negative notifies the publisher once, with an email and a webhook", async () => {
  const { webhook } = await createWebhook(world.harbor, {
    url: "https://hooks.example.com/",
    events: ["balance.negative"],
  });
  await settle(firstDay, 900);
  expect(await titles()).toEqual(["Your balance is negative by $70.00"]);
  const [notice] = await notified();
  expect(notice).toMatchObject({ accountId: world.accountId("harbor"), facts: { amount: 70 } });
  expect(await db().$count(mails, eq(mails.notificationId, notice?.id ?? expect.fail("no notification")))).toBe(1);
  const { rows } = await listWebhookDeliveries(world.harbor, { webhookId: webhook.id });
  expect(rows.map(({ body }) => JSON.parse(body).data)).toEqual([{ amount: 70 }]);
  // The balance is negative already.
  await settle(firstDay, 800);
  await refund(100);
  expect((await getPayoutBalance(world.harbor)).available).toBe(-21_000);
  expect(await titles()).toHaveLength(1);
});

test("a deduction that unpaid earnings cover notifies nobody, and a refund beyond them notifies again", async () => {
  await settleToday(1_000);
  await refund(100);
  await settle(firstDay, 700);
  expect(await titles()).toHaveLength(1);
  await payOut();
  await refund(50);
  expect(await titles()).toEqual(["Your balance is negative by $70.00", "Your balance is negative by $35.00"]);
  expect(await checkLedger(world.job)).toEqual([]);
});

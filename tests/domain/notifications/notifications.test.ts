import { eq, sql } from "drizzle-orm";
import { beforeAll, describe, expect, onTestFinished, test } from "vitest";
import { z } from "zod";
import { approveAccount } from "#app/domain/accounts/approve-account.server.ts";
import { suspendAccount } from "#app/domain/accounts/suspend-account.server.ts";
import { listHistory } from "#app/domain/audit/list-history.server.ts";
import { recordAudit } from "#app/domain/audit/record-audit.server.ts";
import { managedCampaignSchema } from "#app/domain/campaigns/campaign-payloads.ts";
import { completeEndedCampaigns } from "#app/domain/campaigns/complete-campaigns.server.ts";
import { launchCampaign } from "#app/domain/campaigns/launch-campaign.server.ts";
import { pauseLineItem } from "#app/domain/campaigns/line-items/pause-line-item.server.ts";
import { createManagedCampaign } from "#app/domain/campaigns/managed/create-managed-campaign.server.ts";
import { sendDecisionReminders } from "#app/domain/campaigns/notifications/send-decision-reminders.server.ts";
import { pauseCampaign, resumeCampaign } from "#app/domain/campaigns/pause-campaign.server.ts";
import { reviewCampaign } from "#app/domain/campaigns/review-campaign.server.ts";
import type { Ctx } from "#app/domain/context.ts";
import { newId, type PayoutId } from "#app/domain/ids.ts";
import { listMails } from "#app/domain/notifications/list-mails.server.ts";
import { listNotifications } from "#app/domain/notifications/list-notifications.server.ts";
import { mailStates } from "#app/domain/notifications/notification.ts";
import { describeNotification } from "#app/domain/notifications/notification-copy.ts";
import { inTransaction } from "#app/domain/transaction.server.ts";
import { webhookBody } from "#app/domain/webhooks/webhook-body.ts";
import { deliverMail } from "#app/mail/deliver-mail.server.ts";
import { renderMail } from "#app/mail/render-mail.server.ts";
import { toHistoryLines } from "#app/screens/shared/activity/history-lines.ts";
import { toNotificationRow } from "#app/screens/shared/notifications/notification-row.ts";
import { withDeadline } from "#db/client.server.ts";
import { queryRows } from "#db/query-rows.server.ts";
import { accounts, auditEntries, campaigns, mails, notifications } from "#db/schema/index.ts";
import { useDatabase } from "#tests/support/database/database.ts";
import { createWorld, type World } from "#tests/support/world.ts";

const db = useDatabase();
let world: World;
beforeAll(async () => {
  world = await createWorld(db());
});

/** Returns the notifications that `action` causes, as email addresses and titles, in order. */
async function notificationsFrom(action: () => Promise<unknown>): Promise<string[]> {
  const before = new Set((await outbox()).map(({ id }) => id));
  await action();
  const newNotifications = (await outbox()).filter(({ id }) => !before.has(id)).reverse();
  return newNotifications.map((mail) => `${mail.address}: ${describeNotification(mail, mail.accountType).title}`);
}

async function outbox() {
  return (await listMails(world.job, { limit: 500, states: mailStates })).rows;
}

async function countJobs(): Promise<number> {
  const rows = await queryRows(
    db(),
    z.object({ count: z.number() }),
    sql`select count(*)::int as count from graphile_worker._private_jobs`,
  );
  return rows[0]?.count ?? 0;
}

function asOperator() {
  return { ...world.job, actor: { kind: "operator", name: "root" }, entrypoint: "command" } as const;
}

const advertiser = "advertiser@example.com";
const harbor = "publisher@example.com";

describe("the other party is notified", () => {
  test("of a launch, a decision, a pause and the end, and nobody of their own actions", async () => {
    const { northwind } = world;
    const id = await world.aDraft();
    expect(await notificationsFrom(() => launchCampaign(northwind, { id }))).toEqual([
      `${advertiser}: “Ridgeline Packs” was submitted for review`,
      `${harbor}: Northwind Outdoors sent “Ridgeline Packs” for review`,
    ]);
    expect(await notificationsFrom(() => reviewCampaign(world.harbor, { id, action: "approve" }))).toEqual([
      `${advertiser}: Harbor Goods approved “Ridgeline Packs”`,
    ]);
    expect(await notificationsFrom(() => pauseCampaign(northwind, { id }))).toEqual([
      `${harbor}: Northwind Outdoors paused “Ridgeline Packs”`,
    ]);
    expect(await notificationsFrom(() => pauseCampaign(northwind, { id }))).toEqual([]);
    expect(await notificationsFrom(() => resumeCampaign(northwind, { id }))).toEqual([
      `${harbor}: Northwind Outdoors resumed “Ridgeline Packs”`,
    ]);
    expect(await notificationsFrom(() => pauseLineItem(world.harbor, { id }))).toEqual([
      `${advertiser}: Harbor Goods paused “Ridgeline Packs”`,
    ]);
    world.advanceDays(20);
    expect((await notificationsFrom(() => completeEndedCampaigns(world.job))).sort()).toEqual([
      `${advertiser}: “Ridgeline Packs” has ended`,
      `${harbor}: “Ridgeline Packs” has ended`,
    ]);
    world.advanceDays(-20);
  });

  test("of a rejection with its reasons and notes, and of a campaign that was created for it", async () => {
    const id = await world.aLaunchedCampaign();
    const notes = "Too close to <b>our own</b> sale\nAsk again in May";
    const reasons = ["budget_too_low", "creative_quality"] as const;
    await reviewCampaign(world.harbor, { id, action: "reject", notes, reasons: [...reasons] });
    const [mail] = await outbox();
    const { subject, text, html } = await renderMail(mail ?? expect.fail());
    expect(subject).toBe("Harbor Goods rejected “Ridgeline Packs”");
    expect(text).toContain("Reasons: Budget too low, Creative needs work.");
    expect(text).toContain("> Too close to <b>our own</b> sale\n> Ask again in May");
    expect(text).toMatch(new RegExp(`View campaign: http://localhost:\\d+/advertiser/campaigns/${id}\n\n--`));
    expect(html).toContain("&lt;b&gt;our own&lt;/b&gt;");
    expect(html).not.toContain("<b>our");
    const managed = managedCampaignSchema.parse({ ...world.complete(), advertiser_id: world.accountId("northwind") });
    expect(await notificationsFrom(() => createManagedCampaign(world.harbor, managed))).toEqual([
      `${advertiser}: Harbor Goods created “Ridgeline Packs” for you`,
    ]);
  });

  test("of a rejection with the reasons that the publisher selected, also in the history and for programs", async () => {
    const id = await world.aLaunchedCampaign();
    await reviewCampaign(world.harbor, { id, action: "reject", reasons: ["creative_quality", "budget_too_low"] });
    const [mail] = await outbox();
    const text = "Creative needs work, Budget too low";
    expect((await renderMail(mail ?? expect.fail())).text).toContain(`Reasons: ${text}.`);
    const { rows } = await listNotifications(world.northwind, { limit: 1 });
    const [row] = rows;
    expect(row && toNotificationRow(row, "advertiser", "UTC").line).toBe(`Reasons: ${text}.`);
    const [line] = toHistoryLines(await listHistory(world.northwind, id), world.accountId("northwind"));
    expect(line).toMatchObject({ action: "line_item.rejected", reasons: text, notes: "" });
    const body = webhookBody(row ?? expect.fail(), "campaign.rejected");
    expect(JSON.parse(body)).toMatchObject({
      data: { campaign_id: id, reasons: ["creative_quality", "budget_too_low"] },
    });
  });

  test("by mandatory emails alone while it is suspended", async () => {
    const harborId = world.accountId("harbor");
    const id = await world.aLaunchedCampaign();
    expect(await notificationsFrom(() => suspendAccount(asOperator(), { accountId: harborId }))).toEqual([
      `${harbor}: Your account has been suspended`,
    ]);
    onTestFinished(async () => void (await approveAccount(asOperator(), { accountId: harborId })));
    world.advanceDays(1.5);
    onTestFinished(() => world.advanceDays(-1.5));
    expect(await notificationsFrom(() => sendDecisionReminders(world.job))).toEqual([]);
    const [listed] = (await listNotifications(world.harbor, { limit: 1 })).rows;
    expect(listed).toMatchObject({ event: "decision_reminder", campaignId: id });
    const payout = { action: "payout.paid", entity: "payout", entityId: id, accountId: harborId } as const;
    expect(await notificationsFrom(() => recordAudit(world.job, { ...payout, after: { amount: 5 } }))).toEqual([
      `${harbor}: Your payout of $5.00 arrived`,
    ]);
  });

  test("of an account's approval", async () => {
    expect(
      await notificationsFrom(() => approveAccount(asOperator(), { accountId: world.accountId("larkspur") })),
    ).toEqual([expect.stringMatching(/: Your account has been approved$/)]);
  });
});

test("a paid or refunded account is notified of the amount with a link to it", async () => {
  const about = { entityId: "01900000-0000-7000-8000-000000000001", accountId: world.accountId("harbor") };
  const notified = await notificationsFrom(() =>
    recordAudit(
      world.job,
      { action: "payout.paid", entity: "payout", ...about, after: { amount: 1234.5 } },
      { action: "payout.failed", entity: "payout", ...about, after: { amount: 0.29, reason: "The account is closed" } },
    ),
  );
  expect(notified).toEqual([`${harbor}: Your payout of $1,234.50 arrived`, `${harbor}: Your payout of $0.29 failed`]);
  const [failed, paid] = await outbox();
  expect((await renderMail(failed ?? expect.fail())).text).toContain("> The account is closed");
  expect((await renderMail(paid ?? expect.fail())).text).toContain(`/publisher/revenue/payouts/${about.entityId}`);
  const refund = {
    action: "line_item.refunded",
    entity: "line_item" as const,
    ...about,
    ownerId: world.accountId("northwind"),
    campaignId: await world.aDraft(),
    after: { amount: 10 },
  };
  expect(await notificationsFrom(() => recordAudit(world.job, refund))).toEqual([
    `${advertiser}: $10.00 of spend was refunded`,
  ]);
  const shared = { ...refund, notificationFacts: { earnings: 7 } };
  expect((await notificationsFrom(() => recordAudit(world.job, shared))).sort()).toEqual(
    [`${advertiser}: $10.00 of spend was refunded`, `${harbor}: $7.00 of earnings was deducted for a refund`].sort(),
  );
});

test("what is rolled back notifies nobody, and queues no job", async () => {
  const jobs = await countJobs();
  const id = await world.aDraft();
  const notified = await notificationsFrom(() =>
    inTransaction(world.northwind, async (tx) => {
      await launchCampaign(tx, { id });
      throw new Error("undone");
    }).catch(() => undefined),
  );
  expect(notified).toEqual([]);
  expect(await countJobs()).toBe(jobs);
});

test("thousands of events in one transaction are all recorded and notified", async () => {
  const payouts = Array.from({ length: 7_300 }, () => ({
    action: "payout.paid",
    entity: "payout" as const,
    entityId: newId<PayoutId>(),
    accountId: world.accountId("harbor"),
    after: { amount: 5 },
  }));
  const counts = async ({ db }: Pick<Ctx, "db">) =>
    Promise.all([auditEntries, notifications].map((table) => db.$count(table)));
  const before = await counts(world.job);
  // As the seed, which queues no mails: their jobs would take seconds.
  const seed = withDeadline({ ...world.job, entrypoint: "seed" } as const, 60_000);
  const undone = new Error("undone");
  const recording = inTransaction(seed, async (tx) => {
    await recordAudit(tx, ...payouts);
    expect(await counts(tx)).toEqual(before.map((count) => count + payouts.length));
    throw undone;
  });
  await expect(recording).rejects.toBe(undone);
});

test("each email has its job", async () => {
  expect(await countJobs()).toBe(await db().$count(mails));
});

test("an event of a newer version, during an upgrade, is listed without details, and its email waits for that version", async () => {
  const id = await world.aDraft();
  await launchCampaign(world.northwind, { id });
  const [mail] = await outbox();
  if (!mail) expect.fail("no mail");
  await db.owner().execute(sql`alter table notifications drop constraint notifications_event`);
  await db.owner().execute(sql`
    update notifications set event = 'something_newer' where id = (select notification_id from mails where id = ${mail.id})`);
  await db().update(accounts).set({ isDemo: false });
  onTestFinished(async () => void (await db().update(accounts).set({ isDemo: true })));

  const listed = await listNotifications(world.harbor, { limit: 1 });
  expect(listed.rows.map((row) => toNotificationRow(row, "publisher", "UTC"))).toMatchObject([
    { title: "New notification", line: "Endcap is being updated. The details appear here in a few minutes." },
  ]);
  const transport = { send: () => expect.fail("it was sent"), close: () => undefined };
  await expect(deliverMail(world.job, { id: mail.id, transport })).rejects.toThrow("A server of a newer version");
  expect((await outbox())[0]).toMatchObject({ id: mail.id, state: "waiting", attempts: 1 });
  await db().delete(mails).where(eq(mails.id, mail.id));
});

test("hostile names stay text: one subject line, and nothing that an email client runs", async () => {
  const name = 'x"><script>alert(1)</script>\r\nBcc: all@example.com\u2028<img src=x onerror=alert(1)>';
  await db().update(accounts).set({ companyName: name });
  const id = await world.aDraft();
  await db().update(campaigns).set({ name });
  await launchCampaign(world.northwind, { id });
  const [mail] = await outbox();
  const { subject, html, text } = await renderMail(mail ?? expect.fail());
  expect(subject).not.toMatch(/[\r\n\u2028]/);
  expect(html).not.toMatch(/<script|<img/i);
  expect(text).toContain("Bcc: all@example.com");
  expect(await db().$count(notifications)).toBeGreaterThan(5);
});

import { desc, eq, gt } from "drizzle-orm";
import { beforeAll, expect, test } from "vitest";
import { eraseIdentifiers } from "#app/domain/audiences/erase-identifiers.server.ts";
import { updateMembers } from "#app/domain/audiences/update-members.server.ts";
import { failUpload } from "#app/domain/audiences/uploads/fail-upload.server.ts";
import { receiveUpload } from "#app/domain/audiences/uploads/receive-upload.server.ts";
import { sweepUploads } from "#app/domain/audiences/uploads/sweep-uploads.server.ts";
import { waitForBackgroundTasks } from "#app/domain/background-tasks.server.ts";
import { syncAllFundsHolds } from "#app/domain/billing/wallet/sync-funds-holds.server.ts";
import { warnOfLowFunds } from "#app/domain/billing/wallet/warn-of-low-funds.server.ts";
import { addDays, calendarDateOf, formatDate } from "#app/domain/calendar-date.ts";
import { launchCampaign } from "#app/domain/campaigns/launch-campaign.server.ts";
import { pauseLineItem } from "#app/domain/campaigns/line-items/pause-line-item.server.ts";
import { notifyCampaignStarts } from "#app/domain/campaigns/notifications/notify-campaign-starts.server.ts";
import { sendDecisionReminders } from "#app/domain/campaigns/notifications/send-decision-reminders.server.ts";
import { pauseCampaign, resumeCampaign } from "#app/domain/campaigns/pause-campaign.server.ts";
import { reviewCampaign } from "#app/domain/campaigns/review-campaign.server.ts";
import { updateCampaign } from "#app/domain/campaigns/update-campaign.server.ts";
import { retryHint } from "#app/domain/heartbeat.ts";
import { describeNotification } from "#app/domain/notifications/notification-copy.ts";
import { webhookBody } from "#app/domain/webhooks/webhook-body.ts";
import { accounts, audienceUploads, fundsHolds, mails, notifications } from "#db/schema/index.ts";
import { useDatabase } from "#tests/support/database/database.ts";
import { campaignChanges, createWorld, type World } from "#tests/support/world.ts";
import { beginUpload, createEmptyAudience, createFilePart, people, upload } from "../audiences/an-audience.ts";

const db = useDatabase();
let world: World;
beforeAll(async () => {
  world = await createWorld(db());
});

/** Returns the notifications that `action` causes, as `Northwind Outdoors: title`, sorted. Each has one email. */
async function notificationsFrom(action: () => Promise<unknown>): Promise<string[]> {
  const [last] = await db().select().from(notifications).orderBy(desc(notifications.id)).limit(1);
  await action();
  const newNotifications = await db()
    .select({ notice: notifications, type: accounts.type })
    .from(notifications)
    .innerJoin(accounts, eq(accounts.id, notifications.accountId))
    .where(last && gt(notifications.id, last.id));
  for (const { notice } of newNotifications)
    expect(await db().$count(mails, eq(mails.notificationId, notice.id))).toBe(1);
  return newNotifications
    .map(({ notice, type }) => `${notice.facts.company}: ${describeNotification(notice, type).title}`)
    .sort();
}

async function newest() {
  const [notice] = await db().select().from(notifications).orderBy(desc(notifications.id)).limit(1);
  return notice ?? expect.fail();
}

test("the last publisher's decision notifies the advertiser once, with the number of approvals", async () => {
  const id = await world.aLaunchedCampaign({ audiences: ["hikers", "coffeeDrinkers"] });
  expect(await notificationsFrom(() => reviewCampaign(world.harbor, { id, action: "approve" }))).toEqual([
    "Northwind Outdoors: Harbor Goods approved “Ridgeline Packs”",
  ]);
  expect(await notificationsFrom(() => reviewCampaign(world.fern, { id, action: "reject", notes: "No room" }))).toEqual(
    [
      "Northwind Outdoors: All publishers reviewed “Ridgeline Packs”",
      "Northwind Outdoors: Fern & Field Market rejected “Ridgeline Packs”",
    ],
  );
  expect(describeNotification(await newest(), "advertiser").lines).toEqual([
    "1 of 2 publishers approved it. The campaign can run on their audiences, within its flight and budget.",
  ]);
});

test("only a publisher that approved an earlier version is asked about changes, and only its version keeps running", async () => {
  const id = await world.aLaunchedCampaign();
  const send = (changes: Record<string, unknown>) =>
    notificationsFrom(() => updateCampaign(world.northwind, { id, changes: campaignChanges(changes), send: true }));
  const decide = (action: "approve" | "reject") =>
    notificationsFrom(() => reviewCampaign(world.harbor, { id, action }));
  expect(await send({ budget: 6_000 })).toEqual(["Harbor Goods: Northwind Outdoors sent “Ridgeline Packs” for review"]);
  expect(await decide("reject")).toEqual(["Northwind Outdoors: Harbor Goods rejected “Ridgeline Packs”"]);
  expect(describeNotification(await newest(), "advertiser").lines.join()).toContain("won't run");
  expect(await notificationsFrom(() => launchCampaign(world.northwind, { id }))).toEqual([
    "Harbor Goods: Northwind Outdoors sent “Ridgeline Packs” for review",
  ]);
  await decide("approve");
  const both = { selected_audiences: [world.audience("hikers"), world.audience("coffeeDrinkers")] };
  expect(await send(both)).toEqual([
    "Fern & Field Market: Northwind Outdoors sent “Ridgeline Packs” for review",
    "Harbor Goods: Northwind Outdoors changed “Ridgeline Packs”",
  ]);
  expect(await decide("reject")).toEqual([
    "Northwind Outdoors: Harbor Goods rejected your changes to “Ridgeline Packs”",
  ]);
  expect(describeNotification(await newest(), "advertiser").lines.join()).toContain("approved version keeps running");
  await reviewCampaign(world.fern, { id, action: "reject" });
});

test("a review pending for 24 hours sends one reminder, whoever runs the job, and a moot one none", async () => {
  const waitingCampaign = await world.aLaunchedCampaign();
  const endedToday = await world.aLaunchedCampaign({ changes: { start_date: world.today(), end_date: world.today() } });
  expect(await notificationsFrom(() => sendDecisionReminders(world.job))).toEqual([]);
  world.advanceDays(1);
  const both = () => Promise.all([sendDecisionReminders(world.job), sendDecisionReminders(world.job)]);
  expect(await notificationsFrom(both)).toEqual(["Harbor Goods: Reminder: review “Ridgeline Packs”"]);
  expect(describeNotification(await newest(), "publisher").path).toBe(`/approval/${waitingCampaign}`);
  expect(endedToday).not.toBe(waitingCampaign);
  world.advanceDays(1);
  expect(await notificationsFrom(() => sendDecisionReminders(world.job))).toEqual([]);
  world.advanceDays(-2);
});

test("the parties of a campaign are notified once a day before it starts, and not of a paused one", async () => {
  await world.aRunningCampaign();
  await pauseCampaign(world.northwind, { id: await world.aRunningCampaign() });
  await world.aRunningCampaign({ changes: { start_date: world.today() } });
  // By its date: a daily summary may say it on the day itself.
  const day = formatDate(addDays(calendarDateOf(world.clock()), 1));
  expect(await notificationsFrom(() => notifyCampaignStarts(world.job))).toContain(
    `Harbor Goods: “Ridgeline Packs” starts on ${day}`,
  );
  expect(await notificationsFrom(() => notifyCampaignStarts(world.job))).toEqual([]);
});

test("all sides of the campaigns that start tomorrow are notified in one run, also in several batches", async () => {
  await notifyCampaignStarts(world.job);
  const audiences = ["hikers", "coffeeDrinkers"] as const;
  await world.aRunningCampaign({ audiences, approvedBy: ["harbor", "fern"] });
  expect(await notificationsFrom(() => notifyCampaignStarts(world.job, { batchSize: 1 }))).toHaveLength(3);
});

test("of the advertiser's pause and its end only publishers are notified whose line item stops and runs again", async () => {
  const id = await world.aRunningCampaign({ audiences: ["hikers", "coffeeDrinkers"] });
  await reviewCampaign(world.fern, { id, action: "reject" });
  expect(await notificationsFrom(() => pauseCampaign(world.northwind, { id }))).toEqual([
    "Harbor Goods: Northwind Outdoors paused “Ridgeline Packs”",
  ]);
  expect(await notificationsFrom(() => resumeCampaign(world.northwind, { id }))).toEqual([
    "Harbor Goods: Northwind Outdoors resumed “Ridgeline Packs”",
  ]);
  await pauseLineItem(world.harbor, { id });
  await pauseCampaign(world.northwind, { id });
  expect(await notificationsFrom(() => resumeCampaign(world.northwind, { id }))).toEqual([]);
});

test("a budget notifies at 80% and at its end, once for twenty reports at once, and again when it was raised", async () => {
  const today = { start_date: world.today(), budget: 100, daily_budget: 100 };
  const id = await world.aRunningCampaign({ changes: today });
  const spend = (dollars: number) => world.deliver(id, { spendMicros: dollars * 1e6 });
  expect(await notificationsFrom(() => spend(79.99))).toEqual([]);
  const twenty = Array.from({ length: 20 }, (_, index) => 80 + index / 2);
  expect(await notificationsFrom(() => Promise.all(twenty.map(spend)))).toEqual([
    "Northwind Outdoors: “Ridgeline Packs” has spent 80% of its budget",
  ]);
  expect(await notificationsFrom(() => spend(70))).toEqual([]);
  expect(await notificationsFrom(() => spend(90))).toEqual([]);
  await updateCampaign(world.northwind, { id, changes: campaignChanges({ budget: 110, daily_budget: 110 }) });
  await launchCampaign(world.northwind, { id });
  await reviewCampaign(world.harbor, { id, action: "approve" });
  expect(await notificationsFrom(() => spend(91))).toHaveLength(1);
  expect(await notificationsFrom(() => spend(110))).toEqual([
    "Harbor Goods: “Ridgeline Packs” has ended",
    "Northwind Outdoors: “Ridgeline Packs” has ended",
    "Northwind Outdoors: “Ridgeline Packs” has spent its full budget",
  ]);
  const notified = await db().select().from(notifications).where(eq(notifications.event, "campaign_completed"));
  expect(
    notified.map((notice) => describeNotification(notice, "advertiser").figures?.map(({ value }) => value)),
  ).toEqual([
    ["1,000", "10", "$110.00"],
    ["1,000", "10", "$110.00"],
  ]);
});

test("funds that end within a week notify once until there are more, and when they have ended", async () => {
  const limit = (cents: number) =>
    db()
      .update(accounts)
      .set({ creditLimitCents: cents })
      .where(eq(accounts.id, world.accountId("brightside")));
  const changes = { start_date: world.today(), budget: 1_000, daily_budget: 1_000 };
  const id = await world.aRunningCampaign({ by: world.brightside, changes });
  await world.deliver(id, { spendMicros: 70e6 });
  world.advanceDays(1);
  await limit(100_00);
  const warn = () => warnOfLowFunds(world.job);
  expect(await notificationsFrom(() => Promise.all([warn(), warn()]))).toEqual([
    "Brightside Coffee Roasters: Your wallet is running low",
  ]);
  expect((await newest()).facts).toMatchObject({ amount: 30, day: "2026-11-24" });
  expect(await notificationsFrom(warn)).toEqual([]);
  await limit(10_000_00);
  expect(await notificationsFrom(warn)).toEqual([]);
  await limit(90_00);
  expect(await notificationsFrom(warn)).toEqual(["Brightside Coffee Roasters: Your wallet is running low"]);
  await limit(60_00);
  expect(await notificationsFrom(() => syncAllFundsHolds(world.job))).toEqual([
    "Brightside Coffee Roasters: Campaigns on hold: insufficient funds",
  ]);
  expect(await notificationsFrom(warn)).toEqual([]);
  expect(await db().$count(fundsHolds)).toBeGreaterThan(0);
  world.advanceDays(-1);
});

test("a publisher is notified of its import's result, and of an audience below the minimum size", async () => {
  const audienceId = await createEmptyAudience(world.harbor);
  const title = async (files: string[]) =>
    (await notificationsFrom(() => upload(world.harbor, { audienceId, files }))).map((notified) =>
      notified.replace(/^[^:]*: /, "").replace(/“.*”/, "…"),
    );
  expect(await title([people(700)])).toEqual(["… is below the minimum size"]);
  expect(describeNotification(await newest(), "publisher").lines.join()).toContain("Add 300 more");
  expect(await title([people(1_200)])).toEqual(["… was imported"]);
  expect(await title(["email\nnobody\n"])).toEqual(["Import failed for …"]);
  const { subjectId, facts } = await newest();
  expect(describeNotification(await newest(), "publisher").path).toBe(`/audiences/${audienceId}/uploads/${subjectId}`);
  expect(facts.reason).toMatch(/^No row has a valid email address or phone number/);
});

test("a publisher is notified when calls or an erasure bring an audience below the minimum size", async () => {
  const audienceId = await createEmptyAudience(world.harbor);
  await upload(world.harbor, { audienceId, files: [people(1_002)] });
  const change = async (by: () => Promise<unknown>) =>
    (await notificationsFrom(by)).map((one) => one.replace(/^[^:]*: /, "").replace(/“.*”/, "…"));
  const remove = (...numbers: number[]) =>
    updateMembers(world.harbor, {
      audienceId,
      add: [],
      remove: numbers.map((number) => ({ email: `person${number}@example.com` })),
    });
  expect(await change(() => remove(0))).toEqual([]);
  expect(await change(() => remove(1, 2))).toEqual(["… is below the minimum size"]);
  const notice = await newest();
  const copy = describeNotification(notice, "publisher");
  expect(copy).toMatchObject({ action: "View audience", path: `/audiences/${audienceId}` });
  expect(copy.lines.join()).toContain("The audience has 999 people. Add 1 more");
  expect(JSON.parse(webhookBody(notice, "audience.below_minimum")).data).toEqual({
    audience_id: audienceId,
    audience_name: "Loyal",
    people: 999,
  });
  expect(await change(() => remove(3))).toEqual([]);
  const add = [1, 2, 3].map((number) => ({ email: `person${number}@example.com` }));
  expect(await change(() => updateMembers(world.harbor, { audienceId, add, remove: [] }))).toEqual([]);
  const identifiers = ["person4@example.com", "person5@example.com"];
  expect(await change(() => eraseIdentifiers(world.harbor, { identifiers }))).toEqual(["… is below the minimum size"]);
});

test("an import that was interrupted and is sent again with its key notifies of each of its ends", async () => {
  const audienceId = await createEmptyAudience(world.harbor);
  const sent = { audienceId, mode: "add", key: "interrupted-import" } as const;
  const { id } = await beginUpload(world.harbor, sent);
  const message = `The upload was interrupted. ${retryHint}`;
  const interrupt = (attempt: number) => notificationsFrom(() => failUpload(world.harbor, { id, attempt, message }));
  const name = (notified: string[]) => notified.map((one) => one.replace(/^[^:]*: /, "").replace(/“.*”/, "…"));
  expect(name(await interrupt(1))).toEqual(["Import failed for …"]);
  world.advanceDays(1);
  expect(await beginUpload(world.harbor, sent)).toEqual({ id, attempt: 2 });
  expect(name(await interrupt(2))).toEqual(["Import failed for …"]);
  world.advanceDays(1);
  expect(await beginUpload(world.harbor, sent)).toEqual({ id, attempt: 3 });
  async function* files() {
    yield createFilePart(people(1_200));
  }
  const importing = async () => {
    await receiveUpload(world.harbor, { id, attempt: 3, audienceId, mode: "add", files: files() });
    await waitForBackgroundTasks();
  };
  expect(name(await notificationsFrom(importing))).toEqual(["… was imported"]);
  world.advanceDays(-2);
});

test("a failing refresh notifies once until one has worked, and not when it is restarted automatically", async () => {
  const audienceId = await createEmptyAudience(world.harbor);
  const uploadOf = async () => {
    const { id } = await upload(world.harbor, { audienceId, files: [people(10)] });
    await db().update(audienceUploads).set({ source: "klaviyo" }).where(eq(audienceUploads.id, id));
    return id;
  };
  const fail = async () => {
    const id = await uploadOf();
    const heartbeatAt = new Date(world.clock().getTime() - 3_600_000);
    const running = { status: "running", size: null, finishedAt: null, heartbeatAt, createdAt: heartbeatAt } as const;
    await db().update(audienceUploads).set(running).where(eq(audienceUploads.id, id));
    return notificationsFrom(() => sweepUploads(world.job));
  };
  const name = (notified: string[]) => notified.map((one) => one.replace(/^[^:]*: /, "").replace(/“.*”/, "…"));
  expect(name(await fail())).toEqual(["Refresh failed for …"]);
  expect(await fail()).toEqual([]);
  await uploadOf();
  expect(name(await fail())).toEqual(["Refresh failed for …"]);
});

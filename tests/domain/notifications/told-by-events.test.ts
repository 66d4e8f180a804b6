import { desc, eq, gt } from "drizzle-orm";
import { beforeAll, expect, test } from "vitest";
import { sweepUploads } from "#app/domain/audiences/fail-upload.server.ts";
import { refreshAllFunds } from "#app/domain/billing/wallet/refresh-funds.server.ts";
import { warnOfLowFunds } from "#app/domain/billing/wallet/warn-of-low-funds.server.ts";
import { announceStarts } from "#app/domain/campaigns/announce-starts.server.ts";
import { changeCampaign } from "#app/domain/campaigns/change-campaign.server.ts";
import { launchCampaign } from "#app/domain/campaigns/launch-campaign.server.ts";
import { pauseCampaign } from "#app/domain/campaigns/pause-campaign.server.ts";
import { remindOfDecisions } from "#app/domain/campaigns/remind-of-decisions.server.ts";
import { reviewCampaign } from "#app/domain/campaigns/review-campaign.server.ts";
import { wordsOf } from "#app/domain/notifications/notification-words.ts";
import { accounts, audienceUploads, fundsHolds, mails, notifications } from "#db/schema/index.ts";
import { useDatabase } from "#tests/support/database.ts";
import { makeWorld, payload, type World } from "#tests/support/world.ts";
import { anAudience, people, upload } from "../audiences/an-audience.ts";

const db = useDatabase();
let world: World;
beforeAll(async () => {
  world = await makeWorld(db());
});

/** What happens within `work` is told to whom: `Northwind Outdoors: title`, sorted. Each has one mail. */
async function toldBy(work: () => Promise<unknown>): Promise<string[]> {
  const [last] = await db().select().from(notifications).orderBy(desc(notifications.id)).limit(1);
  await work();
  const fresh = await db()
    .select({ notice: notifications, type: accounts.type })
    .from(notifications)
    .innerJoin(accounts, eq(accounts.id, notifications.accountId))
    .where(last && gt(notifications.id, last.id));
  for (const { notice } of fresh) expect(await db().$count(mails, eq(mails.notificationId, notice.id))).toBe(1);
  return fresh.map(({ notice, type }) => `${notice.facts.company}: ${wordsOf(notice, type).title}`).sort();
}

async function newest() {
  const [notice] = await db().select().from(notifications).orderBy(desc(notifications.id)).limit(1);
  return notice ?? expect.fail();
}

test("the last of several publishers that decides is told of once, with how many said yes", async () => {
  const id = await world.aLaunchedCampaign({ audiences: ["hikers", "coffeeDrinkers"] });
  expect(await toldBy(() => reviewCampaign(world.harbor, { id, action: "approve" }))).toEqual([
    "Northwind Outdoors: Harbor Goods approved “Ridgeline Packs”",
  ]);
  expect(await toldBy(() => reviewCampaign(world.fern, { id, action: "reject", notes: "No room" }))).toEqual([
    "Northwind Outdoors: All publishers decided on “Ridgeline Packs”",
    "Northwind Outdoors: Fern & Field Market rejected “Ridgeline Packs”",
  ]);
  expect(wordsOf(await newest(), "advertiser").lines).toEqual(["1 of 2 approved it: it can run on their audiences."]);
});

test("a decision that waits for 24 hours is asked for once, whoever runs the job, and one that is moot never", async () => {
  const waits = await world.aLaunchedCampaign();
  const moot = await world.aLaunchedCampaign({ changes: { start_date: world.today(), end_date: world.today() } });
  expect(await toldBy(() => remindOfDecisions(world.job))).toEqual([]);
  world.passDays(1);
  const both = () => Promise.all([remindOfDecisions(world.job), remindOfDecisions(world.job)]);
  expect(await toldBy(both)).toEqual(["Harbor Goods: “Ridgeline Packs” still waits for you"]);
  expect(wordsOf(await newest(), "publisher").path).toBe(`/approval/${waits}`);
  expect(moot).not.toBe(waits);
  world.passDays(1);
  expect(await toldBy(() => remindOfDecisions(world.job))).toEqual([]);
  world.passDays(-2);
});

test("who is in a campaign hears a day before that it starts, once, and not of one that is paused", async () => {
  await world.aRunningCampaign();
  await pauseCampaign(world.northwind, { id: await world.aRunningCampaign() });
  await world.aRunningCampaign({ changes: { start_date: world.today() } });
  expect(await toldBy(() => announceStarts(world.job))).toContain("Harbor Goods: “Ridgeline Packs” starts tomorrow");
  expect(await toldBy(() => announceStarts(world.job))).toEqual([]);
});

test("a budget tells at 80 % and at its end, once though twenty reports come at once, and again when it was raised", async () => {
  const today = { start_date: world.today(), budget: 100, daily_budget: 100 };
  const id = await world.aRunningCampaign({ changes: today });
  const spend = (dollars: number) => world.deliver(id, { spendMicros: dollars * 1e6 });
  expect(await toldBy(() => spend(79.99))).toEqual([]);
  const twenty = Array.from({ length: 20 }, (_, index) => 80 + index / 2);
  expect(await toldBy(() => Promise.all(twenty.map(spend)))).toEqual([
    "Northwind Outdoors: “Ridgeline Packs” has spent 80% of its budget",
  ]);
  expect(await toldBy(() => spend(70))).toEqual([]);
  expect(await toldBy(() => spend(90))).toEqual([]);
  await changeCampaign(world.northwind, { id, changes: payload({ budget: 110, daily_budget: 110 }) });
  await launchCampaign(world.northwind, { id });
  await reviewCampaign(world.harbor, { id, action: "approve" });
  expect(await toldBy(() => spend(91))).toHaveLength(1);
  expect(await toldBy(() => spend(110))).toEqual([
    "Harbor Goods: “Ridgeline Packs” is completed",
    "Northwind Outdoors: “Ridgeline Packs” has spent its whole budget",
    "Northwind Outdoors: “Ridgeline Packs” is completed",
  ]);
  const told = await db().select().from(notifications).where(eq(notifications.event, "campaign_completed"));
  expect(told.map((notice) => wordsOf(notice, "advertiser").figures?.map(({ value }) => value))).toEqual([
    ["1,000", "10", "$110.00"],
    ["1,000", "10", "$110.00"],
  ]);
});

test("money that ends within a week is told once until there is more, and when it has ended", async () => {
  const limit = (cents: number) =>
    db()
      .update(accounts)
      .set({ creditLimitCents: cents })
      .where(eq(accounts.id, world.accountId("brightside")));
  const changes = { start_date: world.today(), budget: 1_000, daily_budget: 1_000 };
  const id = await world.aRunningCampaign({ by: world.brightside, changes });
  await world.deliver(id, { spendMicros: 70e6 });
  world.passDays(1);
  await limit(100_00);
  const warn = () => warnOfLowFunds(world.job);
  expect(await toldBy(() => Promise.all([warn(), warn()]))).toEqual([
    "Brightside Coffee Roasters: Your wallet is running low",
  ]);
  expect((await newest()).facts).toMatchObject({ amount: 30, day: "2026-11-24" });
  expect(await toldBy(warn)).toEqual([]);
  await limit(10_000_00);
  expect(await toldBy(warn)).toEqual([]);
  await limit(90_00);
  expect(await toldBy(warn)).toEqual(["Brightside Coffee Roasters: Your wallet is running low"]);
  await limit(60_00);
  expect(await toldBy(() => refreshAllFunds(world.job))).toEqual([
    "Brightside Coffee Roasters: Your campaigns wait for funds",
  ]);
  expect(await toldBy(warn)).toEqual([]);
  expect(await db().$count(fundsHolds)).toBeGreaterThan(0);
  world.passDays(-1);
});

test("a publisher hears how its file ended, and which audience has too few people", async () => {
  const audienceId = await anAudience(world.harbor);
  const title = async (files: string[]) =>
    (await toldBy(() => upload(world.harbor, { audienceId, files }))).map((told) => told.replace(/^.*“.*”/, ""));
  expect(await title([people(700)])).toEqual([" has too few people"]);
  expect(wordsOf(await newest(), "publisher").lines.join()).toContain("300 more are needed");
  expect(await title([people(1_200)])).toEqual([" is imported"]);
  expect(await title(["email\nnobody\n"])).toEqual([" was not imported"]);
  const { subjectId, facts } = await newest();
  expect(wordsOf(await newest(), "publisher").path).toBe(`/audiences/${audienceId}/uploads/${subjectId}`);
  expect(facts.reason).toMatch(/^Nothing usable/);
});

test("a refresh that fails is told once until one has worked, and not when it begins again by itself", async () => {
  const audienceId = await anAudience(world.harbor);
  const uploadOf = async () => {
    const { id } = await upload(world.harbor, { audienceId, files: [people(10)] });
    await db().update(audienceUploads).set({ source: "klaviyo" }).where(eq(audienceUploads.id, id));
    return id;
  };
  const fail = async () => {
    const id = await uploadOf();
    const aliveAt = new Date(world.clock().getTime() - 3_600_000);
    const running = { status: "running", size: null, finishedAt: null, aliveAt, createdAt: aliveAt } as const;
    await db().update(audienceUploads).set(running).where(eq(audienceUploads.id, id));
    return toldBy(() => sweepUploads(world.job));
  };
  const name = (told: string[]) => told.map((one) => one.replace(/^.*“.*”/, ""));
  expect(name(await fail())).toEqual([" could not be refreshed"]);
  expect(await fail()).toEqual([]);
  await uploadOf();
  expect(name(await fail())).toEqual([" could not be refreshed"]);
});

import { sql } from "drizzle-orm";
import { beforeAll, describe, expect, test } from "vitest";
import { z } from "zod";
import { approveAccount } from "#app/domain/accounts/approve-account.server.ts";
import { recordAudit } from "#app/domain/audit/record-audit.server.ts";
import { managedCampaignSchema } from "#app/domain/campaigns/campaign-payloads.ts";
import { completeEndedCampaigns } from "#app/domain/campaigns/complete-campaigns.server.ts";
import { createManagedCampaign } from "#app/domain/campaigns/create-managed-campaign.server.ts";
import { launchCampaign } from "#app/domain/campaigns/launch-campaign.server.ts";
import { pauseCampaign, resumeCampaign } from "#app/domain/campaigns/pause-campaign.server.ts";
import { pauseLineItem } from "#app/domain/campaigns/pause-line-item.server.ts";
import { reviewCampaign } from "#app/domain/campaigns/review-campaign.server.ts";
import { listMails } from "#app/domain/notifications/list-mails.server.ts";
import { mailStates } from "#app/domain/notifications/notification.ts";
import { wordsOf } from "#app/domain/notifications/notification-words.ts";
import { inTransaction } from "#app/domain/transaction.server.ts";
import { renderMail } from "#app/mail/render-mail.server.ts";
import { queryRows } from "#db/query-rows.server.ts";
import { accounts, campaigns, mails, notifications } from "#db/schema/index.ts";
import { useDatabase } from "#tests/support/database.ts";
import { makeWorld, type World } from "#tests/support/world.ts";

const db = useDatabase();
let world: World;
beforeAll(async () => {
  world = await makeWorld(db());
});

/** What happens within `work` is told to whom, as addresses and titles, in order. */
async function toldBy(work: () => Promise<unknown>): Promise<string[]> {
  const before = new Set((await outbox()).map(({ id }) => id));
  await work();
  const fresh = (await outbox()).filter(({ id }) => !before.has(id)).reverse();
  return fresh.map((mail) => `${mail.address}: ${wordsOf(mail, mail.accountType).title}`);
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

const advertiser = "advertiser@example.com";
const harbor = "publisher@example.com";

describe("the other side is told", () => {
  test("of a launch, a decision, a pause and the end, and nobody of what it did itself", async () => {
    const { northwind } = world;
    const id = await world.aDraft();
    expect(await toldBy(() => launchCampaign(northwind, { id }))).toEqual([
      `${advertiser}: “Ridgeline Packs” is submitted`,
      `${harbor}: Northwind Outdoors wants to run “Ridgeline Packs”`,
    ]);
    expect(await toldBy(() => reviewCampaign(world.harbor, { id, action: "approve" }))).toEqual([
      `${advertiser}: Harbor Goods approved “Ridgeline Packs”`,
    ]);
    expect(await toldBy(() => pauseCampaign(northwind, { id }))).toEqual([
      `${harbor}: Northwind Outdoors paused “Ridgeline Packs”`,
    ]);
    expect(await toldBy(() => pauseCampaign(northwind, { id }))).toEqual([]);
    expect(await toldBy(() => resumeCampaign(northwind, { id }))).toEqual([
      `${harbor}: Northwind Outdoors resumed “Ridgeline Packs”`,
    ]);
    expect(await toldBy(() => pauseLineItem(world.harbor, { id }))).toEqual([
      `${advertiser}: Harbor Goods paused “Ridgeline Packs”`,
    ]);
    world.passDays(20);
    expect((await toldBy(() => completeEndedCampaigns(world.job))).sort()).toEqual([
      `${advertiser}: “Ridgeline Packs” is completed`,
      `${harbor}: “Ridgeline Packs” is completed`,
    ]);
    world.passDays(-20);
  });

  test("of a rejection with its notes, and of a campaign that was made for it", async () => {
    const id = await world.aLaunchedCampaign();
    const notes = "Too close to <b>our own</b> sale\nAsk again in May";
    await reviewCampaign(world.harbor, { id, action: "reject", notes });
    const [mail] = await outbox();
    const { subject, text, html } = await renderMail(mail ?? expect.fail());
    expect(subject).toBe("Harbor Goods rejected “Ridgeline Packs”");
    expect(text).toContain("> Too close to <b>our own</b> sale\n> Ask again in May");
    expect(text).toMatch(new RegExp(`View campaign: http://localhost:\\d+/advertiser/campaigns/${id}\n\n--`));
    expect(html).toContain("&lt;b&gt;our own&lt;/b&gt;");
    expect(html).not.toContain("<b>our");
    const managed = managedCampaignSchema.parse({ ...world.complete(), advertiser_id: world.accountId("northwind") });
    expect(await toldBy(() => createManagedCampaign(world.harbor, managed))).toEqual([
      `${advertiser}: Harbor Goods created “Ridgeline Packs” for you`,
    ]);
  });

  test("of an account's approval", async () => {
    const operator = { ...world.job, actor: { kind: "operator", name: "root" }, door: "command" } as const;
    expect(await toldBy(() => approveAccount(operator, { accountId: world.accountId("larkspur") }))).toEqual([
      expect.stringMatching(/: Your account is approved$/),
    ]);
  });
});

test("who is paid, and who gets something back, is told how much and led to where it stands", async () => {
  const about = { entityId: "01900000-0000-7000-8000-000000000001", accountId: world.accountId("harbor") };
  const told = await toldBy(() =>
    recordAudit(
      world.job,
      { action: "payout.paid", entity: "payout", ...about, after: { amount: 1234.5 } },
      { action: "payout.failed", entity: "payout", ...about, after: { amount: 0.29, reason: "The account is closed" } },
    ),
  );
  expect(told).toEqual([`${harbor}: Your payout of $1,234.50 arrived`, `${harbor}: Your payout of $0.29 failed`]);
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
  expect(await toldBy(() => recordAudit(world.job, refund))).toEqual([`${advertiser}: $10.00 is given back to you`]);
});

test("what is not committed is told to nobody, and nobody has a job for it", async () => {
  const jobs = await countJobs();
  const id = await world.aDraft();
  const told = await toldBy(() =>
    inTransaction(world.northwind, async (tx) => {
      await launchCampaign(tx, { id });
      throw new Error("undone");
    }).catch(() => undefined),
  );
  expect(told).toEqual([]);
  expect(await countJobs()).toBe(jobs);
});

test("each mail has its job", async () => {
  expect(await countJobs()).toBe(await db().$count(mails));
});

test("hostile names stay text: one line of a subject, nothing that a reader's program runs", async () => {
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

import { eq, sql } from "drizzle-orm";
import { beforeAll, beforeEach, expect, test } from "vitest";
import { z } from "zod";
import { approveAccount } from "#app/domain/accounts/approve-account.server.ts";
import { changeMailSettings } from "#app/domain/notifications/change-mail-settings.server.ts";
import { endMails } from "#app/domain/notifications/end-mails.server.ts";
import { gatherDigests } from "#app/domain/notifications/gather-digests.server.ts";
import { getMailSettings } from "#app/domain/notifications/get-mail-settings.server.ts";
import { findMail } from "#app/domain/notifications/list-mails.server.ts";
import { isOptional, mailsFor } from "#app/domain/notifications/mail-kinds.ts";
import { tellAccounts } from "#app/domain/notifications/tell-accounts.server.ts";
import { inTransaction } from "#app/domain/transaction.server.ts";
import { renderMail } from "#app/mail/render-mail.server.ts";
import { queryRows } from "#db/query-rows.server.ts";
import { auditEntries, mailSettings, mails, users } from "#db/schema/index.ts";
import { demoUserId } from "#db/seed/demo-accounts.ts";
import { useDatabase } from "#tests/support/database.ts";
import { expectRefusal } from "#tests/support/refusals.ts";
import { makeWorld, type World } from "#tests/support/world.ts";

const db = useDatabase();
const userId = demoUserId("northwind");
let world: World;
let jobs: number;
beforeAll(async () => {
  world = await makeWorld(db());
});
beforeEach(async () => {
  await db().delete(mails);
  await db().delete(mailSettings);
  world.setNow("2026-11-20T12:00:00Z");
  jobs = await countJobs();
});

const all = mailsFor("advertiser").filter(isOptional);
const choose = (change: Partial<Parameters<typeof changeMailSettings>[1]>) =>
  changeMailSettings(world.northwind, { userId, delivery: "at_once", time_zone: "UTC", events: all, ...change });
let keys = 0;
/** Something that happens to Northwind, which it can do without hearing of. */
const tell = (event: "budget_used_up" | "campaign_resumed" | "payout_paid" = "budget_used_up") => {
  keys += 1;
  const facts = { campaign: `Number ${keys}`, amount: 1 };
  return tellAccounts(world.job, [
    { event, accountId: world.accountId("northwind"), key: `${keys}`, subjectId: userId, facts },
  ]);
};
const states = async () => (await db().select().from(mails).orderBy(mails.id)).map(({ state }) => state);
const gather = () => gatherDigests(world.job);

async function countJobs(): Promise<number> {
  const [row] = await queryRows(
    db(),
    z.object({ count: z.number() }),
    sql`select count(*)::int as count from graphile_worker._private_jobs`,
  );
  return row?.count ?? 0;
}

test("by default every mail is sent at once; who ends one kind gets no more of it, and what is needed always", async () => {
  expect(await getMailSettings(world.northwind, { userId })).toEqual({
    delivery: "at_once",
    time_zone: "UTC",
    events: all,
  });
  await choose({ events: all.filter((event) => event !== "budget_used_up") });
  await tell("budget_used_up");
  expect(await states()).toEqual([]);
  await tell("campaign_resumed");
  await tell("payout_paid");
  expect(await states()).toEqual(["waiting", "waiting"]);
  await choose({ events: [], delivery: "daily" });
  await tell("payout_paid");
  expect(await states()).toEqual(["waiting", "waiting", "waiting"]);
});

test("a change is kept in the audit trail once, and is nobody else's to make", async () => {
  const before = await db().$count(auditEntries);
  await choose({ time_zone: "Europe/Berlin" });
  await choose({ time_zone: "Europe/Berlin" });
  expect(await db().$count(auditEntries)).toBe(before + 1);
  const foreign = { userId, delivery: "daily", time_zone: "UTC", events: [] } as const;
  await expectRefusal(changeMailSettings(world.brightside, { ...foreign, events: [] }), "not_found");
  expect((await getMailSettings(world.northwind, { userId })).delivery).toBe("at_once");
});

test("one mail a day has all that waits at eight in the person's zone, and one job", async () => {
  await choose({ delivery: "daily", time_zone: "Europe/Berlin" });
  for (let count = 0; count < 3; count += 1) await tell();
  expect(await states()).toEqual(["gathering", "gathering", "gathering"]);
  world.setNow("2026-11-21T06:59:00Z");
  expect(await gather()).toBe(0);
  world.setNow("2026-11-21T07:00:00Z");
  await tell();
  const made = await Promise.all([gather(), gather()]);
  expect(made.reduce((sum, count) => sum + count, 0)).toBe(1);
  expect(await states()).toEqual(["gathered", "gathered", "gathered", "waiting"]);
  expect(await countJobs()).toBe(jobs + 1);
  const [carrier] = await db().select().from(mails).where(eq(mails.state, "waiting"));
  const { subject, text, html, unsubscribe } = await renderMail(
    (await findMail(world.job, carrier?.id ?? expect.fail())) ?? expect.fail(),
  );
  expect(subject).toBe("Your daily summary: 4 notifications");
  expect(text.match(/“Number \d+” has spent/g)).toHaveLength(4);
  expect(text).toContain("2026-11-20 13:00 UTC+1");
  expect(html.match(/\/advertiser\/campaigns"/g)?.length).toBeGreaterThanOrEqual(4);
  expect(unsubscribe).toContain("/unsubscribe?token=");
  await tell();
  world.setNow("2026-11-21T23:00:00Z");
  expect(await gather()).toBe(0);
  world.setNow("2026-11-22T08:00:00Z");
  expect(await gather()).toBe(1);
});

test("a crash while they are gathered leaves all as it was", async () => {
  await choose({ delivery: "daily" });
  await tell();
  world.setNow("2026-11-21T08:00:00Z");
  const crash = inTransaction(world.job, async (tx) => {
    expect(await gatherDigests(tx)).toBe(1);
    throw new Error("killed");
  });
  await expect(crash).rejects.toThrow("killed");
  expect(await states()).toEqual(["gathering"]);
  expect(await countJobs()).toBe(jobs);
  expect(await gather()).toBe(1);
  expect(await states()).toEqual(["waiting"]);
});

test("what a person ended since is not in the daily mail, and a hundred notices are named up to fifty", async () => {
  await choose({ delivery: "daily" });
  await tell();
  await tell("campaign_resumed");
  await endMails(world.job, { userId, event: "budget_used_up" });
  world.setNow("2026-11-21T08:00:00Z");
  expect(await gather()).toBe(1);
  expect((await states()).sort()).toEqual(["kept", "waiting"]);
  await db().delete(mails);
  for (let count = 0; count < 60; count += 1) await tell("campaign_resumed");
  world.setNow("2026-11-22T08:00:01Z");
  await gather();
  const [carrier] = await db().select().from(mails).where(eq(mails.state, "waiting"));
  const { text } = await renderMail((await findMail(world.job, carrier?.id ?? expect.fail())) ?? expect.fail());
  expect(text.match(/resumed “Number/g)).toHaveLength(50);
  expect(text).toMatch(/And 10 more: http.*\/advertiser\/notifications/);
});

test("a link ends mails of its kind, all of the daily mail's, and the same again; nobody's are nothing", async () => {
  expect(await endMails(world.job, { userId, event: "budget_used_up" })).toBe(true);
  const entries = await db().$count(auditEntries);
  expect(await endMails(world.job, { userId, event: "budget_used_up" })).toBe(true);
  expect(await db().$count(auditEntries)).toBe(entries);
  const { events } = await getMailSettings(world.northwind, { userId });
  expect(events).toEqual(all.filter((event) => event !== "budget_used_up"));
  await Promise.all([
    endMails(world.job, { userId, event: null }),
    endMails(world.job, { userId, event: "campaign_paused" }),
  ]);
  expect((await getMailSettings(world.northwind, { userId })).events).toEqual([]);
  expect(await endMails(world.job, { userId, event: "payout_paid" })).toBe(true);
  await tell("payout_paid");
  expect(await states()).toEqual(["waiting"]);
  const nobody = demoUserId("northwind").replace(/.$/, "f") as typeof userId;
  if (nobody !== userId) expect(await endMails(world.job, { userId: nobody, event: null })).toBe(false);
});

test("somebody's mail has the way out only where one can do without it", async () => {
  const operator = { ...world.job, actor: { kind: "operator", name: "root" }, door: "command" } as const;
  await approveAccount(operator, { accountId: world.accountId("larkspur") });
  await tell();
  const sent = await db()
    .select({ id: mails.id })
    .from(mails)
    .innerJoin(users, eq(users.id, mails.userId))
    .orderBy(mails.id);
  const [approved, ending] = await Promise.all(
    sent.map(async ({ id }) => renderMail((await findMail(world.job, id)) ?? expect.fail())),
  );
  expect(approved?.unsubscribe).toBeUndefined();
  expect(approved?.text).toMatch(/Choose your e-mails: http.*\/profile#mails\n$/);
  expect(ending?.text).toContain(`Get no more like this: ${ending?.unsubscribe}`);
  expect(ending?.html).toContain("get no more like this");
});

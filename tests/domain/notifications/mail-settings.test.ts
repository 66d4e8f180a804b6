import { eq, sql } from "drizzle-orm";
import { beforeAll, beforeEach, expect, onTestFinished, test } from "vitest";
import { z } from "zod";
import { approveAccount } from "#app/domain/accounts/approve-account.server.ts";
import { buildDigests } from "#app/domain/notifications/build-digests.server.ts";
import { getMailSettings } from "#app/domain/notifications/get-mail-settings.server.ts";
import { findMail } from "#app/domain/notifications/list-mails.server.ts";
import { isOptionalMail, mailEventsFor } from "#app/domain/notifications/mail-kinds.ts";
import { notifyAccounts } from "#app/domain/notifications/notify-accounts.server.ts";
import { unsubscribeFromMails } from "#app/domain/notifications/unsubscribe-from-mails.server.ts";
import { updateMailSettings } from "#app/domain/notifications/update-mail-settings.server.ts";
import { inTransaction } from "#app/domain/transaction.server.ts";
import { deliverMail } from "#app/mail/deliver-mail.server.ts";
import type { OutgoingMail } from "#app/mail/mail-transport.server.ts";
import { renderMail } from "#app/mail/render-mail.server.ts";
import { queryRows } from "#db/query-rows.server.ts";
import { accounts, auditEntries, mailSettings, mails, users } from "#db/schema/index.ts";
import { demoUserId } from "#db/seed/demo-accounts.ts";
import { useDatabase } from "#tests/support/database/database.ts";
import { expectDomainError } from "#tests/support/expect-domain-error.ts";
import { createWorld, type World } from "#tests/support/world.ts";

const db = useDatabase();
const userId = demoUserId("northwind");
let world: World;
let jobs: number;
beforeAll(async () => {
  world = await createWorld(db());
});
beforeEach(async () => {
  await db().delete(mails);
  await db().delete(mailSettings);
  world.setNow("2026-11-20T12:00:00Z");
  jobs = await countJobs();
});

const all = mailEventsFor("advertiser").filter(isOptionalMail);
const choose = (change: Partial<Parameters<typeof updateMailSettings>[1]>) =>
  updateMailSettings(world.northwind, { userId, delivery: "immediate", time_zone: "UTC", events: all, ...change });
let keys = 0;
/** Notifies Northwind, or another account, of an event whose mails can be turned off in the settings. */
const notify = (
  event: "budget_used_up" | "campaign_resumed" | "payout_paid" = "budget_used_up",
  who: "northwind" | "brightside" = "northwind",
) => {
  keys += 1;
  const facts = { campaign: `Number ${keys}`, amount: 1 };
  return notifyAccounts(world.job, [
    { event, accountId: world.accountId(who), key: `${keys}`, subjectId: demoUserId(who), facts },
  ]);
};
const states = async () => (await db().select().from(mails).orderBy(mails.id)).map(({ state }) => state);
const sendDigests = () => buildDigests(world.job);

/** Rejects changes of a person's mails. Returns what ends that. */
async function failMailsOf(who: "northwind" | "brightside") {
  const failing = `create function fail_for_one() returns trigger language plpgsql as $$ begin
    if new.user_id = '${demoUserId(who)}' then raise exception 'fails'; end if; return new; end $$`;
  await db.owner().execute(sql.raw(failing));
  const trigger = "create trigger fails_for_one before update on mails for each row execute function fail_for_one()";
  await db.owner().execute(sql.raw(trigger));
  return async () => void (await db.owner().execute(sql`drop function if exists fail_for_one() cascade`));
}

async function countJobs(): Promise<number> {
  const [row] = await queryRows(
    db(),
    z.object({ count: z.number() }),
    sql`select count(*)::int as count from graphile_worker._private_jobs`,
  );
  return row?.count ?? 0;
}

test("by default every email is sent at once; a kind that is off sends none, and required ones are always sent", async () => {
  expect(await getMailSettings(world.northwind, { userId })).toEqual({
    delivery: "immediate",
    time_zone: "UTC",
    events: all,
  });
  await choose({ events: all.filter((event) => event !== "budget_used_up") });
  await notify("budget_used_up");
  expect(await states()).toEqual([]);
  await notify("campaign_resumed");
  await notify("payout_paid");
  expect(await states()).toEqual(["waiting", "waiting"]);
  await choose({ events: [], delivery: "daily" });
  await notify("payout_paid");
  expect(await states()).toEqual(["waiting", "waiting", "waiting"]);
});

test("a change is recorded once in the audit trail, and only its person can make it", async () => {
  const before = await db().$count(auditEntries);
  await choose({ time_zone: "Europe/Berlin" });
  await choose({ time_zone: "Europe/Berlin" });
  expect(await db().$count(auditEntries)).toBe(before + 1);
  const foreign = { userId, delivery: "daily", time_zone: "UTC", events: [] } as const;
  await expectDomainError(updateMailSettings(world.brightside, { ...foreign, events: [] }), "not_found");
  expect((await getMailSettings(world.northwind, { userId })).delivery).toBe("immediate");
});

test("a daily digest has everything that waits at eight in the person's zone, and one job", async () => {
  await choose({ delivery: "daily", time_zone: "Europe/Berlin" });
  for (let count = 0; count < 3; count += 1) await notify();
  expect(await states()).toEqual(["awaiting_digest", "awaiting_digest", "awaiting_digest"]);
  world.setNow("2026-11-21T06:59:00Z");
  expect(await sendDigests()).toBe(0);
  world.setNow("2026-11-21T07:00:00Z");
  await notify();
  const made = await Promise.all([sendDigests(), sendDigests()]);
  expect(made.reduce((sum, count) => sum + count, 0)).toBe(1);
  expect(await states()).toEqual(["in_digest", "in_digest", "in_digest", "waiting"]);
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
  await notify();
  world.setNow("2026-11-21T23:00:00Z");
  expect(await sendDigests()).toBe(0);
  world.setNow("2026-11-22T08:00:00Z");
  expect(await sendDigests()).toBe(1);
});

test("a crash while gathering leaves everything as it was", async () => {
  await choose({ delivery: "daily" });
  await notify();
  world.setNow("2026-11-21T08:00:00Z");
  const crash = inTransaction(world.job, async (tx) => {
    expect(await buildDigests(tx)).toBe(1);
    throw new Error("killed");
  });
  await expect(crash).rejects.toThrow("killed");
  expect(await states()).toEqual(["awaiting_digest"]);
  expect(await countJobs()).toBe(jobs);
  expect(await sendDigests()).toBe(1);
  expect(await states()).toEqual(["waiting"]);
});

test("a person whose digest fails keeps nobody else from theirs, and gets it once it can be built", async () => {
  const people = ["northwind", "brightside"] as const;
  for (const broken of people) {
    await db().delete(mails);
    for (const who of people) {
      const id = demoUserId(who);
      await updateMailSettings(world[who], { userId: id, delivery: "daily", time_zone: "UTC", events: all });
      await notify("budget_used_up", who);
    }
    const mend = await failMailsOf(broken);
    onTestFinished(mend);
    world.setNow(new Date(world.clock().getTime() + 86_400_000).toISOString());
    await expect(sendDigests()).rejects.toThrow(`failed for 1 of 2 people: ${demoUserId(broken)}`);
    expect((await states()).sort()).toEqual(["awaiting_digest", "waiting"]);
    await mend();
    expect(await buildDigests({ ...world.job, stopping: AbortSignal.abort() })).toBe(0);
    expect(await sendDigests()).toBe(1);
  }
});

test("kinds turned off since are not in the digest, and of a hundred notifications fifty are named", async () => {
  await choose({ delivery: "daily" });
  await notify();
  await notify("campaign_resumed");
  await unsubscribeFromMails(world.job, { userId, event: "budget_used_up" });
  world.setNow("2026-11-21T08:00:00Z");
  expect(await sendDigests()).toBe(1);
  expect((await states()).sort()).toEqual(["suppressed", "waiting"]);
  await db().delete(mails);
  for (let count = 0; count < 60; count += 1) await notify("campaign_resumed");
  world.setNow("2026-11-22T08:00:01Z");
  await sendDigests();
  const [carrier] = await db().select().from(mails).where(eq(mails.state, "waiting"));
  const { text } = await renderMail((await findMail(world.job, carrier?.id ?? expect.fail())) ?? expect.fail());
  expect(text.match(/resumed “Number/g)).toHaveLength(50);
  expect(text).toMatch(/And 10 more: http.*\/advertiser\/notifications/);
});

test("a link unsubscribes from its kind, or from the digest's kinds, repeatably; an invalid one does nothing", async () => {
  expect(await unsubscribeFromMails(world.job, { userId, event: "budget_used_up" })).toBe(true);
  const entries = await db().$count(auditEntries);
  expect(await unsubscribeFromMails(world.job, { userId, event: "budget_used_up" })).toBe(true);
  expect(await db().$count(auditEntries)).toBe(entries);
  const { events } = await getMailSettings(world.northwind, { userId });
  expect(events).toEqual(all.filter((event) => event !== "budget_used_up"));
  await Promise.all([
    unsubscribeFromMails(world.job, { userId, event: null }),
    unsubscribeFromMails(world.job, { userId, event: "campaign_paused" }),
  ]);
  expect((await getMailSettings(world.northwind, { userId })).events).toEqual([]);
  expect(await unsubscribeFromMails(world.job, { userId, event: "payout_paid" })).toBe(true);
  await notify("payout_paid");
  expect(await states()).toEqual(["waiting"]);
  const nobody = demoUserId("northwind").replace(/.$/, "f") as typeof userId;
  if (nobody !== userId) expect(await unsubscribeFromMails(world.job, { userId: nobody, event: null })).toBe(false);
});

test("an email that still waits when its person unsubscribes is not sent, a required one is", async () => {
  await db().update(accounts).set({ isDemo: false });
  onTestFinished(async () => void (await db().update(accounts).set({ isDemo: true })));
  await notify("budget_used_up");
  await notify("payout_paid");
  await unsubscribeFromMails(world.job, { userId, event: null });
  await db()
    .update(mailSettings)
    .set({ muted: ["budget_used_up", "payout_paid"] });
  const subjects: string[] = [];
  const transport = { send: async ({ subject }: OutgoingMail) => void subjects.push(subject), close: () => undefined };
  for (const { id } of await db().select().from(mails).orderBy(mails.id))
    await deliverMail(world.job, { id, transport });
  expect(subjects).toEqual(["Your payout of $1.00 arrived"]);
  const written = await db().select().from(mails).orderBy(mails.id);
  expect(written.map(({ state, lastError }) => [state, lastError])).toEqual([
    ["suppressed", "The recipient turned these emails off"],
    ["sent", null],
  ]);
});

test("a digest that still waits is built again without what its person unsubscribed from, and not sent when nothing is left", async () => {
  await db().update(accounts).set({ isDemo: false });
  onTestFinished(async () => void (await db().update(accounts).set({ isDemo: true })));
  const texts: string[] = [];
  const transport = { send: async ({ text }: OutgoingMail) => void texts.push(text), close: () => undefined };
  const deliver = async () => {
    for (const { id } of await db().select().from(mails).orderBy(mails.id))
      await deliverMail(world.job, { id, transport });
  };
  const digestOf = async (events: readonly Parameters<typeof notify>[0][]) => {
    await choose({ delivery: "daily" });
    for (const event of events) await notify(event);
    world.setNow(new Date(world.clock().getTime() + 86_400_000).toISOString());
    expect(await sendDigests()).toBe(1);
  };

  await digestOf(["campaign_resumed", "campaign_resumed", "budget_used_up"]);
  await unsubscribeFromMails(world.job, { userId, event: "budget_used_up" });
  await deliver();
  expect(await states()).toEqual(["in_digest", "waiting", "suppressed"]);
  await deliver();
  expect(await states()).toEqual(["in_digest", "sent", "suppressed"]);
  expect(texts).toHaveLength(1);
  expect(texts[0]?.match(/resumed “Number/g)).toHaveLength(2);
  expect(texts[0]).not.toContain("has spent");

  await digestOf(["campaign_resumed", "budget_used_up"]);
  await unsubscribeFromMails(world.job, { userId, event: null });
  await deliver();
  await deliver();
  expect(await states()).toEqual(["in_digest", "sent", "suppressed", "suppressed", "suppressed"]);
  expect(texts).toHaveLength(1);
});

test("an email has an unsubscribe link only where it is optional", async () => {
  const operator = { ...world.job, actor: { kind: "operator", name: "root" }, entrypoint: "command" } as const;
  await approveAccount(operator, { accountId: world.accountId("larkspur") });
  await notify();
  const sent = await db()
    .select({ id: mails.id })
    .from(mails)
    .innerJoin(users, eq(users.id, mails.userId))
    .orderBy(mails.id);
  const [approved, ending] = await Promise.all(
    sent.map(async ({ id }) => renderMail((await findMail(world.job, id)) ?? expect.fail())),
  );
  expect(approved?.unsubscribe).toBeUndefined();
  expect(approved?.text).toMatch(/Manage email settings: http.*\/profile\?section=mails\n$/);
  expect(ending?.text).toContain(`Unsubscribe from these emails: ${ending?.unsubscribe}`);
  expect(ending?.html).toContain(">unsubscribe</a>");
});

import { and, desc, eq } from "drizzle-orm";
import { beforeAll, beforeEach, describe, expect, test } from "vitest";
import type { Ctx, TenantActor } from "#app/domain/context.ts";
import { type MailId, newId } from "#app/domain/ids.ts";
import { findSuppression, listSuppressedPeople } from "#app/domain/notifications/feedback/find-suppression.server.ts";
import { confirmEmail, resumeAddress } from "#app/domain/notifications/feedback/lift-suppression.server.ts";
import { isHeldBack } from "#app/domain/notifications/feedback/mail-feedback.ts";
import { receiveMailFeedback } from "#app/domain/notifications/feedback/receive-mail-feedback.server.ts";
import { requestEmailConfirmation } from "#app/domain/notifications/feedback/request-email-confirmation.server.ts";
import { listMails } from "#app/domain/notifications/list-mails.server.ts";
import { listNotifications } from "#app/domain/notifications/list-notifications.server.ts";
import { mailStates } from "#app/domain/notifications/notification.ts";
import { purgePersonalData } from "#app/domain/privacy/purge-personal-data.server.ts";
import { retentionDefaults } from "#app/domain/privacy/retention.ts";
import { deliverMail } from "#app/mail/deliver-mail.server.ts";
import type { OutgoingMail } from "#app/mail/mail-transport.server.ts";
import { accounts, auditEntries, mailFeedback, mailSuppressions, mails, users } from "#db/schema/index.ts";
import { demoUserId } from "#db/seed/demo-accounts.ts";
import { useDatabase } from "#tests/support/database/database.ts";
import { expectDomainError } from "#tests/support/expect-domain-error.ts";
import { createWorld, type World } from "#tests/support/world.ts";

const db = useDatabase();
let world: World;
const userId = demoUserId("northwind");
const address = "advertiser@example.com";
beforeAll(async () => {
  world = await createWorld(db());
  await db().update(accounts).set({ isDemo: false });
});
beforeEach(async () => {
  await db().delete(mailSuppressions);
  await db().delete(mailFeedback);
});

const sent: OutgoingMail[] = [];
const transport = { send: async (mail: OutgoingMail) => void sent.push(mail), close: () => undefined };
const own = (): Ctx<TenantActor> => ({ ...world.northwind, actor: { ...world.northwind.actor, userId } });

/** Sends what waits, and returns the subjects that went to a person. */
async function sendWaiting(): Promise<string[]> {
  sent.length = 0;
  const waiting = await listMails(world.job, { limit: 500, states: ["waiting"] });
  for (const { id } of waiting.rows) await deliverMail(world.job, { id, transport });
  return sent.filter(({ to }) => to.address === address).map(({ subject }) => subject);
}

/** Launches a campaign, sends its mails, and returns the advertiser's. */
async function aSentMail(): Promise<MailId> {
  await world.aLaunchedCampaign();
  await sendWaiting();
  const [mail] = await db().select().from(mails).where(eq(mails.userId, userId)).orderBy(desc(mails.id)).limit(1);
  return mail?.id ?? expect.fail("no mail");
}

const receive = (
  mailId: MailId,
  kind: "bounce" | "soft_bounce" | "complaint" = "bounce",
  status: string | null = null,
) => receiveMailFeedback(world.job, { mailId, kind, status });
const reason = async () => (await findSuppression(world.job, { userId }))?.reason;
const operator = () => ({ ...world.job, actor: { kind: "operator", name: "Jo" }, entrypoint: "command" }) as const;
const stateOf = async (id: MailId) =>
  (await listMails(world.job, { limit: 500, states: mailStates })).rows.find((mail) => mail.id === id);

test("after a bounce further emails to the address are held back, with the reason, and others are sent", async () => {
  const mailId = await aSentMail();
  expect(await receive(mailId, "bounce", "5.1.1")).toEqual({ effect: "suppressed" });
  expect(await stateOf(mailId)).toMatchObject({ state: "sent", feedback: "bounce 5.1.1" });
  const held = await aSentMail();
  expect(sent.map(({ to }) => to.address)).toEqual(["publisher@example.com"]);
  expect(await stateOf(held)).toMatchObject({
    state: "suppressed",
    lastError: "Held back: the address does not work",
    feedback: null,
  });
  const [entry] = await db()
    .select()
    .from(auditEntries)
    .where(and(eq(auditEntries.action, "user.emails_suppressed"), eq(auditEntries.entityId, userId)));
  expect(entry).toMatchObject({
    accountId: world.accountId("northwind"),
    after: { reason: "bounce", status: "5.1.1" },
  });
});

test("a repeated report has no second effect, also when both arrive at once", async () => {
  const mailId = await aSentMail();
  const effects = await Promise.all([receive(mailId), receive(mailId), receive(mailId)]);
  expect(effects.map(({ effect }) => effect).sort()).toEqual(["known", "known", "suppressed"]);
  expect(await db().$count(mailFeedback)).toBe(1);
  await resumeAddress(operator(), { address });
  expect(await receive(mailId)).toEqual({ effect: "known" });
  expect(await reason()).toBeUndefined();
});

test("a mail that does not exist is an error, which stores nothing", async () => {
  await expectDomainError(receive(newId<MailId>()), "not_found");
  expect(await db().$count(mailFeedback)).toBe(0);
});

describe("soft bounces", () => {
  const softBounce = async () => receive(await aSentMail(), "soft_bounce", "4.2.2");

  test("on three days hold emails back, and several of one day count once", async () => {
    expect([(await softBounce()).effect, (await softBounce()).effect]).toEqual(["counted", "counted"]);
    world.advanceDays(1);
    expect((await softBounce()).effect).toBe("counted");
    world.advanceDays(1);
    expect((await softBounce()).effect).toBe("suppressed");
    expect(await reason()).toBe("soft_bounces");
  });

  test("of more than two weeks ago, or from before a confirmation, do not count", async () => {
    await softBounce();
    world.advanceDays(15);
    await softBounce();
    world.advanceDays(1);
    expect((await softBounce()).effect).toBe("counted");
    world.advanceDays(1);
    expect((await softBounce()).effect).toBe("suppressed");
    await resumeAddress(operator(), { address });
    world.advanceDays(1);
    expect((await softBounce()).effect).toBe("counted");
    expect(await reason()).toBeUndefined();
  });
});

test("after a complaint only emails about the account's safety are sent", async () => {
  await receive(await aSentMail(), "complaint");
  expect(await reason()).toBe("complaint");
  await aSentMail();
  expect(sent.map(({ to }) => to.address)).toEqual(["publisher@example.com"]);
  expect([isHeldBack("new_sign_in", "complaint"), isHeldBack("invoice_issued", "complaint")]).toEqual([false, true]);
  expect([isHeldBack("new_sign_in", "bounce"), isHeldBack(null, "complaint")]).toEqual([true, true]);
});

test("a stronger reason replaces a weaker one, and never the other way", async () => {
  const first = await aSentMail();
  expect((await receive(first, "complaint")).effect).toBe("suppressed");
  expect((await receive(first, "bounce", "5.1.1")).effect).toBe("suppressed");
  const second = await aSentMail();
  expect((await receive(second, "complaint")).effect).toBe("counted");
  expect(await findSuppression(world.job, { userId })).toMatchObject({ reason: "bounce", status: "5.1.1" });
});

describe("a new address", () => {
  const rename = (email: string) => db().update(users).set({ email }).where(eq(users.id, userId));

  test("gets emails, and a report about the earlier one does not hold them back", async () => {
    const [first, second] = [await aSentMail(), await aSentMail()];
    await receive(first);
    await rename("new@example.com");
    expect(await reason()).toBeUndefined();
    expect((await receive(second)).effect).toBe("counted");
    expect(await reason()).toBeUndefined();
    await rename(address.toUpperCase());
    expect(await reason()).toBe("bounce");
    await rename(address);
  });

  test("gets the emails that waited when it changed, and the earlier one none", async () => {
    await receive(await aSentMail());
    await world.aLaunchedCampaign();
    await rename("new@example.com");
    await sendWaiting();
    expect(sent.map(({ to }) => to.address).sort()).toEqual(["new@example.com", "publisher@example.com"]);
    const [mail] = await db().select().from(mails).where(eq(mails.userId, userId)).orderBy(desc(mails.id)).limit(1);
    // Where it went is what a report about it counts for.
    expect(mail).toMatchObject({ state: "sent", address: "new@example.com" });
    expect((await receive(mail?.id ?? expect.fail("no mail"))).effect).toBe("suppressed");
    await rename(address);
  });

  test("can be held back too, although the earlier one was", async () => {
    await receive(await aSentMail());
    await rename("new@example.com");
    expect((await receive(await aSentMail())).effect).toBe("suppressed");
    expect(await findSuppression(world.job, { userId })).toMatchObject({ address: "new@example.com" });
    await rename(address);
  });
});

describe("a confirmation", () => {
  const newest = async () => {
    const all = await listMails(world.job, { limit: 500, states: mailStates });
    return all.rows.filter(({ event }) => event === "email_confirmation");
  };

  test("is sent to the held back address, once in ten minutes, and resumes its emails", async () => {
    const bounced = await aSentMail();
    await receive(bounced);
    await requestEmailConfirmation(own(), { userId });
    await requestEmailConfirmation(own(), { userId });
    expect(await sendWaiting()).toEqual(["Confirm your email address"]);
    expect(sent.map(({ to }) => to.address)).toEqual([address]);
    const [mail] = await newest();
    // A colleague's link, or one of another mail, proves nothing.
    await expectDomainError(confirmEmail(own(), { userId, mailId: bounced }), "invalid_transition");
    await confirmEmail(own(), { userId, mailId: mail?.id ?? expect.fail() });
    expect(await reason()).toBeUndefined();
    expect(await db().$count(auditEntries, eq(auditEntries.action, "user.email_confirmed"))).toBeGreaterThan(0);
    await aSentMail();
    expect(sent.map(({ to }) => to.address).sort()).toEqual([address, "publisher@example.com"]);
    // A late report about an email from before changes nothing.
    expect((await receive(bounced, "complaint")).effect).toBe("counted");
    expect(await reason()).toBeUndefined();
  });

  test("from before the last bounce is no proof", async () => {
    await receive(await aSentMail(), "complaint");
    await requestEmailConfirmation(own(), { userId });
    await sendWaiting();
    const [mail] = await newest();
    world.advanceDays(1);
    await receive(mail?.id ?? expect.fail(), "bounce", "5.1.1");
    await expectDomainError(confirmEmail(own(), { userId, mailId: mail?.id ?? expect.fail() }), "invalid_transition");
    expect(await reason()).toBe("bounce");
  });

  test("is no notification of the account, and none is sent to an address that works", async () => {
    const before = await newest();
    await requestEmailConfirmation(own(), { userId });
    expect(await newest()).toHaveLength(before.length);
    const listed = await listNotifications(world.northwind, { limit: 500 });
    expect(listed.rows.some(({ event }) => event === "email_confirmation")).toBe(false);
  });
});

test("an operator resumes an address in any case, once", async () => {
  await receive(await aSentMail());
  expect(await resumeAddress(operator(), { address: "ADVERTISER@example.com" })).toBe(true);
  expect(await resumeAddress(operator(), { address })).toBe(false);
  expect(await resumeAddress(operator(), { address: "nobody@example.com" })).toBe(false);
});

test("the people of an account whose emails are held back are listed to that account alone", async () => {
  await receive(await aSentMail(), "bounce", "5.1.1");
  expect(await listSuppressedPeople(world.northwind)).toMatchObject([{ userId, address, reason: "bounce" }]);
  expect(await listSuppressedPeople(world.harbor)).toEqual([]);
});

test("retention deletes confirmed and former addresses, and none that is still held back", async () => {
  await receive(await aSentMail());
  world.advanceDays(100);
  const purge = () => purgePersonalData(world.job, { days: retentionDefaults });
  await purge();
  expect(await reason()).toBe("bounce");
  await resumeAddress(operator(), { address });
  await purge();
  expect(await db().$count(mailSuppressions)).toBe(1);
  world.advanceDays(91);
  await purge();
  expect(await db().$count(mailSuppressions)).toBe(0);
  await receive(await aSentMail());
  await db().update(users).set({ email: "new@example.com" }).where(eq(users.id, userId));
  await purge();
  expect(await db().$count(mailSuppressions)).toBe(0);
  await db().update(users).set({ email: address }).where(eq(users.id, userId));
});

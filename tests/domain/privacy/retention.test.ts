import { eq, inArray, isNull, sql } from "drizzle-orm";
import { beforeAll, expect, test } from "vitest";
import { signInUser } from "#app/domain/accounts/sign-in/sign-in-user.server.ts";
import { startSession } from "#app/domain/accounts/sign-in/start-session.server.ts";
import { type MailId, type NotificationId, newId, type UserId } from "#app/domain/ids.ts";
import { retryMails } from "#app/domain/notifications/claim-mail.server.ts";
import type { MailState } from "#app/domain/notifications/notification.ts";
import { cancelErasure } from "#app/domain/privacy/cancel-erasure.server.ts";
import { purgePersonalData } from "#app/domain/privacy/purge-personal-data.server.ts";
import { requestErasure } from "#app/domain/privacy/request-erasure.server.ts";
import { retentionDefaults } from "#app/domain/privacy/retention.ts";
import { readEnv } from "#app/env.server.ts";
import { erasures, mails, notifications, users } from "#db/schema/index.ts";
import { demoUserId } from "#db/seed/demo-accounts.ts";
import { useDatabase } from "#tests/support/database/database.ts";
import { createWorld, type World } from "#tests/support/world.ts";

const db = useDatabase();
let world: World;
beforeAll(async () => {
  world = await createWorld(db());
  await db().delete(mails);
  await db().delete(notifications);
});
const purge = () => purgePersonalData(world.job, { days: retentionDefaults });
const daysAgo = (days: number) => new Date(world.clock().getTime() - days * 86_400_000);

async function aMail(age: number, state: MailState, digestId?: MailId): Promise<MailId> {
  const notificationId = newId<NotificationId>();
  const id = newId<MailId>();
  const accountId = world.accountId("harbor");
  await db()
    .insert(notifications)
    .values({
      id: notificationId,
      accountId,
      event: "payout_paid",
      eventKey: id,
      subjectId: accountId,
      facts: { company: "Harbor Goods" },
      createdAt: daysAgo(age),
    });
  await db()
    .insert(mails)
    .values({
      id,
      notificationId,
      userId: demoUserId("harbor"),
      address: "someone@example.com",
      state,
      createdAt: daysAgo(age),
      sentAt: state === "sent" ? daysAgo(age) : null,
      ...(digestId && { digestId }),
    });
  return id;
}
const addressOf = async (id: MailId) => {
  const [row] = await db().select({ address: mails.address }).from(mails).where(eq(mails.id, id));
  return row?.address;
};

test("the address of an old mail is erased, not of one that still has to be sent", async () => {
  const old = await Promise.all([aMail(91, "sent"), aMail(91, "failed"), aMail(91, "suppressed")]);
  const kept = await Promise.all([aMail(89, "sent"), aMail(91, "waiting"), aMail(91, "awaiting_digest")]);
  expect(await purge()).toBe(3);
  expect(await Promise.all(old.map(addressOf))).toEqual(["", "", ""]);
  expect(await Promise.all(kept.map(addressOf))).toEqual(Array(3).fill("someone@example.com"));
  expect(await purge()).toBe(0);
  const operator = { ...world.job, actor: { kind: "operator", name: "Jo" }, entrypoint: "command" } as const;
  expect(await retryMails(operator)).toBe(0);
});

test("old notifications are deleted with their mails, and a daily mail with those that it carried", async () => {
  await db().delete(mails);
  await db().delete(notifications);
  const digest = await aMail(401, "sent");
  await db().update(mails).set({ digestId: digest }).where(eq(mails.id, digest));
  const part = await aMail(402, "in_digest", digest);
  const young = await aMail(399, "sent");
  await purge();
  expect([await addressOf(digest), await addressOf(part), await addressOf(young)]).toEqual([undefined, undefined, ""]);
  expect(await db().$count(notifications)).toBe(1);
});

test("people who never registered are deleted, unless they are signed in", async () => {
  const person = async (number: number, age: number) => {
    const visit = { ...world.job, clock: () => daysAgo(age) };
    const identity = { subject: `late-${number}`, email: `late${number}@example.com`, emailVerified: true };
    return (await signInUser(visit, { ...identity, name: "Late", picture: undefined })).userId;
  };
  const [old, young, active] = [await person(1, 91), await person(2, 89), await person(3, 91)];
  await startSession(world.job, { userId: active, userAgent: null, replaces: undefined });
  await purge();
  const left = await db().select({ id: users.id }).from(users).where(isNull(users.accountId));
  const ids = left.map(({ id }) => id);
  expect([ids.includes(old), ids.includes(young), ids.includes(active)]).toEqual([false, true, true]);
  expect(await db().$count(users, sql`${users.accountId} is not null`)).toBeGreaterThan(0);
});

test("people who never registered are deleted with their requests of erasure, canceled and open", async () => {
  const operator = { ...world.job, actor: { kind: "operator", name: "Jo" }, entrypoint: "command" } as const;
  const visit = { ...world.job, clock: () => daysAgo(91) };
  const ids: UserId[] = [];
  for (const name of ["canceled", "open", "none"]) {
    const identity = { subject: `asked-${name}`, email: `asked-${name}@example.com`, emailVerified: true };
    ids.push((await signInUser(visit, { ...identity, name, picture: undefined })).userId);
  }
  const [canceled, open] = [ids[0] ?? expect.fail("no user"), ids[1] ?? expect.fail("no user")];
  for (const userId of [canceled, open]) await requestErasure(operator, { userId });
  expect(await cancelErasure(operator, { userId: canceled })).toEqual({ changed: true });
  expect(await purge()).toBe(3);
  expect(await db().$count(users, inArray(users.id, ids))).toBe(0);
  expect(await db().$count(erasures, inArray(erasures.userId, ids))).toBe(0);
});

test("each period is a setting within limits, and the defaults are those of the table", () => {
  const variables = { DATA_DIR: "none-here", SESSION_SECRET: "s".repeat(32) };
  expect(readEnv(variables).retentionDays).toEqual(retentionDefaults);
  expect(readEnv({ ...variables, MAIL_ADDRESS_RETENTION_DAYS: "30" }).retentionDays.mailAddresses).toBe(30);
  for (const wrong of ["6", "3651", "many", "-1"])
    expect(() => readEnv({ ...variables, NOTIFICATION_RETENTION_DAYS: wrong })).toThrow("NOTIFICATION_RETENTION_DAYS");
});

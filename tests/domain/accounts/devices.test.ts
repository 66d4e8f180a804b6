import { eq } from "drizzle-orm";
import { expect, it } from "vitest";
import { registrationSchema } from "#app/domain/accounts/account-payloads.ts";
import { registerAccount } from "#app/domain/accounts/register-account.server.ts";
import { newSecret } from "#app/domain/accounts/secrets.server.ts";
import { describeDevice } from "#app/domain/accounts/sign-in/device.ts";
import { purgeExpiredSignIns } from "#app/domain/accounts/sign-in/purge-expired-sign-ins.server.ts";
import { startSession } from "#app/domain/accounts/sign-in/start-session.server.ts";
import type { UserId } from "#app/domain/ids.ts";
import { mails, notifications, signInDevices } from "#db/schema/index.ts";
import { useDatabase } from "#tests/support/database/database.ts";
import { asUser, createManualClock, newMember, newUser, visitor } from "./people.ts";

const db = useDatabase();
const firefox = "Mozilla/5.0 (Windows NT 10.0; Win64; x64; rv:130.0) Gecko/20100101 Firefox/130.0";
const countNotifications = () => db().$count(notifications, eq(notifications.event, "new_sign_in"));

function signIn(userId: UserId, device: string, clock?: () => Date) {
  return startSession(visitor(clock), { userId, userAgent: firefox, replaces: undefined, device });
}

it("a sign-in with a new browser sends one email; the first sign-in and a known browser send none", async () => {
  const { userId, accountId } = await newMember("advertiser");
  const [first, second] = [newSecret(), newSecret()];
  await signIn(userId, first);
  await signIn(userId, first);
  expect(await countNotifications()).toBe(0);
  await signIn(userId, second);
  expect(await countNotifications()).toBe(1);
  await signIn(userId, second);
  await signIn(userId, first);
  expect(await countNotifications()).toBe(1);
  const [notice] = await db().select().from(notifications).where(eq(notifications.event, "new_sign_in"));
  expect(notice).toMatchObject({ accountId, subjectId: userId, facts: { device: "Firefox on Windows" } });
  expect(notice?.readAt).not.toBeNull();
  expect(await db().$count(mails, eq(mails.notificationId, notice?.id ?? expect.fail()))).toBe(1);
});

it("nothing is stored for a person without an account, so the first sign-in after registration sends no email", async () => {
  const userId = await newUser();
  const before = await countNotifications();
  await signIn(userId, newSecret());
  const registration = registrationSchema.parse({ user_type: "publisher", company_name: "New" });
  await registerAccount(asUser(userId), { registration, approval: "auto" });
  await signIn(userId, newSecret());
  expect(await countNotifications()).toBe(before);
  await signIn(userId, newSecret());
  expect(await countNotifications()).toBe(before + 1);
});

it("people who share a browser share no row, and a browser without use is forgotten after 400 days", async () => {
  const [one, other, device] = [await newMember("advertiser"), await newMember("publisher"), newSecret()];
  const clock = createManualClock();
  await signIn(one.userId, device, clock.now);
  await signIn(other.userId, device, clock.now);
  const rows = await db().select().from(signInDevices);
  expect(new Set(rows.map(({ deviceHash }) => deviceHash)).size).toBe(rows.length);
  expect(JSON.stringify(rows)).not.toContain(device);
  clock.pass(401 * 24 * 3_600_000);
  const job = { ...visitor(clock.now), actor: { kind: "job", name: "test" }, entrypoint: "job" } as const;
  await purgeExpiredSignIns(job);
  expect(await db().$count(signInDevices, eq(signInDevices.userId, one.userId))).toBe(0);
});

it.each([
  [firefox, "Firefox on Windows"],
  [
    "Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15_7) AppleWebKit/605.1.15 Version/17.4 Safari/605.1.15",
    "Safari on macOS",
  ],
  [
    "Mozilla/5.0 (iPhone; CPU iPhone OS 17_4 like Mac OS X) AppleWebKit/605.1 CriOS/123 Mobile Safari/604.1",
    "Chrome on iOS",
  ],
  ["Mozilla/5.0 (Linux; Android 14) AppleWebKit/537.36 Chrome/124.0 Mobile Safari/537.36", "Chrome on Android"],
  ["Mozilla/5.0 (Windows NT 10.0) AppleWebKit/537.36 Chrome/124.0 Safari/537.36 Edg/124.0", "Edge on Windows"],
  ["curl/8.5\r\nBcc: all@example.com <script>", "Unknown browser"],
  [null, "Unknown browser"],
])("for %s the email says %s", (userAgent, description) => {
  expect(describeDevice(userAgent)).toBe(description);
});

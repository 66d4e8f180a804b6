import { eq } from "drizzle-orm";
import { describe, expect, it } from "vitest";
import { consumeRateLimit } from "#app/domain/access/consume-rate-limit.server.ts";
import { findViewer } from "#app/domain/accounts/find-viewer.server.ts";
import { createSignInAttempt } from "#app/domain/accounts/sign-in/create-sign-in-attempt.server.ts";
import { endAllSessions } from "#app/domain/accounts/sign-in/end-all-sessions.server.ts";
import { endSession } from "#app/domain/accounts/sign-in/end-session.server.ts";
import { purgeExpiredSignIns } from "#app/domain/accounts/sign-in/purge-expired-sign-ins.server.ts";
import { sessionIdleTimeoutMs, sessionMaxAgeMs } from "#app/domain/accounts/sign-in/session.ts";
import { startSession } from "#app/domain/accounts/sign-in/start-session.server.ts";
import { suspendAccount } from "#app/domain/accounts/suspend-account.server.ts";
import type { UserId } from "#app/domain/ids.ts";
import { rateLimits, sessions, signInAttempts } from "#db/schema/index.ts";
import { useDatabase } from "#tests/support/database/database.ts";
import { asOperator, createManualClock, newMember, newUser, visitor } from "./people.ts";

const db = useDatabase();
const minute = 60_000;

function start(userId: UserId, clock?: () => Date, replaces?: string) {
  return startSession(visitor(clock), { userId, userAgent: "test", replaces });
}

describe("a session", () => {
  it("identifies the person, with or without an account", async () => {
    const userId = await newUser();
    const { token } = await start(userId);
    expect(await findViewer(visitor(), { token })).toMatchObject({ id: userId, userType: "pending", accountId: null });
    const member = await newMember("publisher");
    const second = await start(member.userId);
    expect(await findViewer(visitor(), second)).toMatchObject({
      userType: "publisher",
      status: "approved",
      accountId: member.accountId,
    });
  });

  it("is 256 random bits, of which the database has only the hash", async () => {
    const { token } = await start(await newUser());
    expect(Buffer.from(token, "base64url")).toHaveLength(32);
    const rows = await db().select().from(sessions);
    expect(rows.length).toBeGreaterThan(0);
    expect(JSON.stringify(rows)).not.toContain(token);
  });

  it("ends after 12 hours without use, and use extends it", async () => {
    const clock = createManualClock();
    const { token } = await start(await newUser(), clock.now);
    clock.pass(sessionIdleTimeoutMs - 1);
    expect(await findViewer(visitor(clock.now), { token })).toBeDefined();
    clock.pass(sessionIdleTimeoutMs - 1);
    expect(await findViewer(visitor(clock.now), { token })).toBeDefined();
    clock.pass(sessionIdleTimeoutMs);
    expect(await findViewer(visitor(clock.now), { token })).toBeUndefined();
  });

  it("ends after 7 days in any case", async () => {
    const clock = createManualClock();
    const { token } = await start(await newUser(), clock.now);
    for (let passed = 0; passed < sessionMaxAgeMs - 60 * minute; passed += 60 * minute) {
      clock.pass(60 * minute);
      if (passed < sessionMaxAgeMs - 120 * minute)
        expect(await findViewer(visitor(clock.now), { token })).toBeDefined();
    }
    clock.pass(60 * minute);
    expect(await findViewer(visitor(clock.now), { token })).toBeUndefined();
  });

  it("records its last use once a minute at most", async () => {
    const clock = createManualClock();
    const userId = await newUser();
    const { token } = await start(userId, clock.now);
    const lastSeen = async () => (await db().select().from(sessions).where(eq(sessions.userId, userId)))[0]?.lastSeenAt;
    const first = await lastSeen();
    clock.pass(minute - 1);
    await findViewer(visitor(clock.now), { token });
    expect(await lastSeen()).toEqual(first);
    clock.pass(1);
    await Promise.all(Array.from({ length: 5 }, () => findViewer(visitor(clock.now), { token })));
    expect(await lastSeen()).toEqual(clock.now());
  });

  it("gets a new id at sign-in, and the old one becomes invalid", async () => {
    const userId = await newUser();
    const before = await start(userId);
    const after = await start(userId, undefined, before.token);
    expect(after.token).not.toBe(before.token);
    expect(await findViewer(visitor(), before)).toBeUndefined();
    expect(await findViewer(visitor(), after)).toBeDefined();
  });

  it("is gone after logout, here or everywhere", async () => {
    const userId = await newUser();
    const [one, two, three] = [await start(userId), await start(userId), await start(userId)];
    const other = await start(await newUser());
    await endSession(visitor(), one);
    await endSession(visitor(), one);
    expect(await findViewer(visitor(), one)).toBeUndefined();
    expect(await findViewer(visitor(), two)).toBeDefined();
    expect(await endAllSessions(visitor(), { userId })).toBe(2);
    expect(await findViewer(visitor(), three)).toBeUndefined();
    expect(await findViewer(visitor(), other)).toBeDefined();
  });

  it("reflects a suspension at the next request", async () => {
    const { userId, accountId } = await newMember("advertiser");
    const session = await start(userId);
    expect(await findViewer(visitor(), session)).toMatchObject({ status: "approved" });
    await suspendAccount(asOperator(), { accountId });
    expect(await findViewer(visitor(), session)).toMatchObject({ status: "suspended" });
  });

  it.each(["", "x", "'; drop table sessions; --", "a".repeat(43), "\u0000".repeat(43), "a".repeat(10_000)])(
    "is not found by %j",
    async (token) => {
      expect(await findViewer(visitor(), { token })).toBeUndefined();
    },
  );
});

it("cleanup deletes ended sessions, yesterday's attempts and rate limits, and nothing else", async () => {
  const clock = createManualClock();
  const userId = await newUser();
  await start(userId, clock.now);
  await createSignInAttempt(visitor(clock.now), {
    provider: "google",
    state: "s1",
    codeVerifier: "v",
    nonce: "n",
    redirectTo: undefined,
  });
  await consumeRateLimit(visitor(clock.now), { bucket: "old", capacity: 1, seconds: 1 });
  clock.pass(24 * 60 * minute + 1);
  const kept = await start(userId, clock.now);
  await createSignInAttempt(visitor(clock.now), {
    provider: "google",
    state: "s2",
    codeVerifier: "v",
    nonce: "n",
    redirectTo: undefined,
  });
  await consumeRateLimit(visitor(clock.now), { bucket: "new", capacity: 1, seconds: 1 });
  const ctx = { ...visitor(clock.now), actor: { kind: "job" as const, name: "purge_sign_ins" } };
  expect(await purgeExpiredSignIns(ctx)).toBeGreaterThanOrEqual(3);
  expect(await purgeExpiredSignIns(ctx)).toBe(0);
  expect(await findViewer(visitor(clock.now), kept)).toBeDefined();
  expect(await db().$count(signInAttempts)).toBe(1);
  expect((await db().select().from(rateLimits)).map((row) => row.bucket)).toEqual(["new"]);
});

it("cleanup of very many rows keeps what it has done when it is interrupted", async () => {
  const clock = createManualClock();
  const rows = Array.from({ length: 5_001 }, (_, index) => `many ${index}`);
  const refilledAt = new Date(clock.now().getTime() - 2 * 24 * 60 * minute);
  await db().delete(rateLimits);
  await db()
    .insert(rateLimits)
    .values(rows.map((bucket) => ({ bucket, tokens: 0, refilledAt })));
  const ctx = { ...visitor(clock.now), actor: { kind: "job" as const, name: "purge_sign_ins" } };
  await db().transaction(async (tx) => {
    await tx.select().from(rateLimits).where(eq(rateLimits.bucket, "many 5000")).for("update");
    await expect(purgeExpiredSignIns(ctx)).rejects.toThrow();
  });
  expect(await db().$count(rateLimits)).toBe(1);
  expect(await purgeExpiredSignIns(ctx)).toBe(1);
});

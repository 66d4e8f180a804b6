import { createHash } from "node:crypto";
import { eq } from "drizzle-orm";
import { expect, onTestFinished, test, vi } from "vitest";
import { createCampaign } from "#app/domain/campaigns/create-campaign.server.ts";
import { createIdempotently } from "#app/domain/idempotency/create-idempotently.server.ts";
import { purgeIdempotencyKeys } from "#app/domain/idempotency/purge-idempotency-keys.server.ts";
import { idempotencyTtlMs, withIdempotencyKey } from "#app/domain/idempotency/with-idempotency-key.server.ts";
import * as environment from "#app/env.server.ts";
import { campaigns, idempotencyKeys } from "#db/schema/index.ts";
import { useDatabase } from "#tests/support/database/database.ts";
import { visitor } from "../domain/accounts/people.ts";
import { launched, member, origin, send } from "./api.ts";

const db = useDatabase();
const countAll = () => db().$count(campaigns);
const withKey = (key: string) => ({ "Idempotency-Key": key });

test("20 requests with one key create one campaign and get the same bytes", async () => {
  const { api } = await member("advertiser");
  const before = await countAll();
  const responses = await Promise.all(
    Array.from({ length: 20 }, () => api("POST /api/campaigns", { body: { name: "Once" }, headers: withKey("a-key") })),
  );
  expect(new Set(responses.map((response) => `${response.status} ${response.text}`)).size).toBe(1);
  expect(responses[0]?.status).toBe(201);
  expect(responses.filter((response) => response.headers.has("Idempotent-Replayed"))).toHaveLength(19);
  expect(await countAll()).toBe(before + 1);
});

test("control: without a key, the same 20 create 20", async () => {
  const { api } = await member("advertiser");
  const before = await countAll();
  await Promise.all(Array.from({ length: 20 }, () => api("POST /api/campaigns", { body: { name: "Each" } })));
  expect(await countAll()).toBe(before + 20);
});

test("the same key with another body, or for another endpoint, is rejected", async () => {
  const { api } = await member("advertiser");
  const headers = withKey("b-key");
  await api("POST /api/campaigns", { body: { name: "One" }, headers });
  const other = await api("POST /api/campaigns", { body: { name: "Two" }, headers });
  expect([other.status, other.error?.code]).toEqual([422, "idempotency_conflict"]);
  const elsewhere = await api("POST /api/keys", { body: { name: "One" }, headers });
  expect([elsewhere.status, elsewhere.error?.code]).toEqual([422, "idempotency_conflict"]);
});

test("two callers with the same key do not affect each other", async () => {
  const one = await member("advertiser");
  const two = await member("advertiser");
  const first = await one.api("POST /api/campaigns", { body: {}, headers: withKey("c-key") });
  const second = await two.api("POST /api/campaigns", { body: {}, headers: withKey("c-key") });
  expect(second.status).toBe(201);
  expect(second.body.campaign.id).not.toBe(first.body.campaign.id);
});

test("an error is not stored: the same key may be retried", async () => {
  const { api } = await member("advertiser");
  const headers = withKey("d-key");
  expect((await api("POST /api/campaigns", { body: { budget: "much" }, headers })).status).toBe(422);
  expect((await api("POST /api/campaigns", { body: { budget: 5 }, headers })).status).toBe(201);
  const id = "00000000-0000-7000-8000-000000000000";
  const absent = { params: { id }, headers: withKey("e-key") };
  expect((await api("POST /api/campaigns/{id}/launch", absent)).status).toBe(404);
  expect(await db().$count(idempotencyKeys)).toBeGreaterThan(0);
  expect((await db().select().from(idempotencyKeys)).map((row) => row.key)).not.toContain("e-key");
});

test("a repeated decision with its key gets the first response", async () => {
  const advertiser = await member("advertiser");
  const publisher = await member("publisher");
  const params = { id: await launched(advertiser, publisher) };
  const approve = { params, body: { action: "approve" as const, notes: "Go" }, headers: withKey("f-key") };
  const first = await publisher.api("POST /api/campaigns/{id}/approve", approve);
  const second = await publisher.api("POST /api/campaigns/{id}/approve", approve);
  expect([second.status, second.text]).toEqual([200, first.text]);
});

test("a secret is left out of the repeated response", async () => {
  const { api } = await member("publisher");
  const create = { body: { name: "Nightly" }, headers: withKey("g-key") };
  const first = await api("POST /api/keys", create);
  const second = await api("POST /api/keys", create);
  expect([second.status, second.body.key]).toEqual([201, first.body.key]);
  expect([typeof first.body.secret, second.body.secret]).toEqual(["string", undefined]);
  expect(JSON.stringify(await db().select().from(idempotencyKeys))).not.toContain(first.body.secret?.slice(9));
});

test("an invalid key is rejected", async () => {
  const { api } = await member("advertiser");
  for (const key of ["", "two words", "k".repeat(256), "schlüssel"]) {
    const rejected = await api("POST /api/campaigns", { body: {}, headers: withKey(key) });
    expect([rejected.status, rejected.error?.code]).toEqual([400, "malformed"]);
  }
});

test("a response is stored for 72 hours, and then deleted", async () => {
  let now = new Date("2026-11-03T10:00:00Z");
  const ctx = visitor(() => now);
  let done = 0;
  const once = { caller: "test", key: "k", requestFingerprint: "r" };
  const work = async () => ({ status: 200, body: String(++done) });
  expect((await withIdempotencyKey(ctx, once, work)).body).toBe("1");
  now = new Date(now.getTime() + idempotencyTtlMs);
  expect((await withIdempotencyKey(ctx, once, work)).body).toBe("1");
  now = new Date(now.getTime() + 1);
  expect((await withIdempotencyKey(ctx, { ...once, requestFingerprint: "other" }, work)).body).toBe("2");
  now = new Date(now.getTime() + idempotencyTtlMs + 1);
  expect(await purgeIdempotencyKeys(ctx)).toBeGreaterThan(0);
  expect((await db().select().from(idempotencyKeys)).filter((row) => row.caller === "test")).toEqual([]);
});

test("a response about money is stored forever", async () => {
  let now = new Date("2026-11-03T10:00:00Z");
  const ctx = visitor(() => now);
  const once = { caller: "test money", key: "k", requestFingerprint: "r", movesMoney: true };
  const work = (body: string) => async () => ({ status: 200, body });
  await withIdempotencyKey(ctx, once, work("first"));
  now = new Date(now.getTime() + 100 * idempotencyTtlMs);
  await purgeIdempotencyKeys(ctx);
  expect((await withIdempotencyKey(ctx, once, work("second"))).body).toBe("first");
  await expect(withIdempotencyKey(ctx, { ...once, requestFingerprint: "other" }, work("third"))).rejects.toMatchObject({
    code: "idempotency_conflict",
  });
});

test("what is stored of a request is no hash that can be guessed, and replays it through a rotation of the secret", async () => {
  const secrets = ["first", "second", "third"].map((name) => name.repeat(8));
  const [first = "", second = "", third = ""] = secrets;
  const setSecrets = (newest: string, previous: string) => {
    const source = {
      ...process.env,
      SESSION_SECRET: newest,
      SESSION_SECRET_PREVIOUS: previous,
      ENCRYPTION_KEY: undefined,
    };
    vi.spyOn(environment, "env").mockReturnValue(environment.readEnv(source));
  };
  onTestFinished(() => void vi.restoreAllMocks());
  const once = { caller: "test rotation", key: "k", requestFingerprint: "POST /", body: Buffer.from("a@example.com") };
  const run = async (body: string, request = once) =>
    (await withIdempotencyKey(visitor(), request, async () => ({ status: 200, body }))).body;
  const isCaller = eq(idempotencyKeys.caller, once.caller);
  const plain = createHash("sha256").update("POST /a@example.com").digest("hex");
  setSecrets(first, "");
  expect(await run("1")).toBe("1");
  expect((await db().select().from(idempotencyKeys).where(isCaller)).map((row) => row.requestHash)).not.toContain(
    plain,
  );
  expect(await run("2")).toBe("1");
  setSecrets(second, first);
  expect(await run("2")).toBe("1");
  await expect(run("2", { ...once, body: Buffer.from("b@example.com") })).rejects.toMatchObject({
    code: "idempotency_conflict",
  });
  // A removed secret: nothing is executed again.
  setSecrets(third, second);
  await expect(run("2")).rejects.toMatchObject({ code: "idempotency_conflict" });
  // A row of an earlier version.
  await db().update(idempotencyKeys).set({ requestHash: plain }).where(isCaller);
  expect(await run("2")).toBe("1");
});

test("a form that is sent twice creates one object", async () => {
  const { accountId, userId } = await member("advertiser");
  const ctx = { ...visitor(), actor: { kind: "advertiser" as const, accountId, userId } };
  const values = { name: "Form", notes: undefined };
  const form = { key: "0b5f6c1e-form-key", values };
  const create = () => createIdempotently(ctx, form, (inside) => createCampaign(inside, values));
  const [first, second] = await Promise.all([create(), create()]);
  expect(second).toEqual(first);
  const changed = createIdempotently(ctx, { ...form, values: { name: "Other" } }, (inside) =>
    createCampaign(inside, values),
  );
  await expect(changed).rejects.toMatchObject({ code: "idempotency_conflict" });
  const without = await createIdempotently(ctx, { key: undefined, values }, (inside) => createCampaign(inside, values));
  expect(without).not.toEqual(first);
});

test("repetition is by bytes, so the same JSON with other formatting is another body", async () => {
  const { api } = await member("advertiser");
  const post = (body: string) =>
    send(
      new Request(`${origin}/api/campaigns`, {
        method: "POST",
        headers: { ...api.headers, ...withKey("h-key"), "Content-Type": "application/json" },
        body,
      }),
    );
  expect((await post('{"name":"A"}')).status).toBe(201);
  expect((await post('{"name": "A"}')).status).toBe(422);
});

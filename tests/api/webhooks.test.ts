import { spawnSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { signWebhookBody } from "#app/domain/webhooks/webhook-secret.server.ts";
import { webhookDeliveries } from "#db/schema/index.ts";
import { useDatabase } from "#tests/support/database/database.ts";
import { member } from "./api.ts";

const db = useDatabase();
// No worker runs here, so no name is resolved and no request is sent.
const url = "https://8.8.8.8/hook";
const events = ["campaign.approved" as const, "campaign.rejected" as const];

test("a webhook is created with a secret that is shown once, listed without it, and removed in either way", async () => {
  const { byKey } = await member("advertiser");
  const headers = { "Idempotency-Key": "hook-1" };
  const created = await byKey("POST /api/webhooks", { body: { url, events }, headers });
  expect([created.status, created.body.webhook]).toMatchObject([201, { url, events, state: "active" }]);
  expect(created.body.webhook.secret).toMatch(/^whsec_[\w-]{43}$/);
  const again = await byKey("POST /api/webhooks", { body: { url, events }, headers });
  const { secret, ...shown } = created.body.webhook;
  expect(again.body.webhook).toEqual(shown);
  const params = { id: shown.id };
  expect((await byKey("GET /api/webhooks", {})).body).toEqual({ webhooks: [shown], next_cursor: null });
  expect((await byKey("GET /api/webhooks/{id}", { params })).body.webhook).toEqual(shown);
  expect((await byKey("DELETE /api/webhooks/{id}", { params })).body).toEqual({ success: true });
  expect((await byKey("DELETE /api/webhooks/{id}", { params })).status).toBe(404);
  const other = await byKey("POST /api/webhooks", { body: { url, events } });
  expect((await byKey("DELETE /api/webhooks", { query: { id: other.body.webhook.id } })).status).toBe(200);
  expect((await byKey("GET /api/webhooks", {})).body.webhooks).toEqual([]);
});

test("a secret is rotated, returned once, and the one before signs for a day", async () => {
  const { byKey } = await member("publisher");
  const { secret: first, ...webhook } = (await byKey("POST /api/webhooks", { body: { url, events } })).body.webhook;
  expect(webhook.previous_secret_expires_at).toBeNull();
  const params = { id: webhook.id };
  const headers = { "Idempotency-Key": "rotation-1" };
  const rotated = await byKey("POST /api/webhooks/{id}/rotate-secret", { params, headers });
  const { secret, ...shown } = rotated.body.webhook;
  expect(rotated.status).toBe(200);
  expect(secret).toMatch(/^whsec_[\w-]{43}$/);
  expect(secret).not.toBe(first);
  expect(shown).toEqual({ ...webhook, previous_secret_expires_at: expect.any(String) });
  expect(Date.parse(shown.previous_secret_expires_at ?? "") - Date.now()).toBeGreaterThan(23 * 3_600_000);
  const again = await byKey("POST /api/webhooks/{id}/rotate-secret", { params, headers });
  expect(again.body.webhook).toEqual(shown);
  expect((await byKey("GET /api/webhooks/{id}", { params })).body.webhook).toEqual(shown);
  const { byKey: byOther } = await member("publisher");
  expect((await byOther("POST /api/webhooks/{id}/rotate-secret", { params })).status).toBe(404);
});

test("a URL that is not https, is private or is invalid, and unknown events, are rejected at their field", async () => {
  const { api } = await member("publisher");
  const rejectionOf = async (body: object) => {
    const { status, error } = await api("POST /api/webhooks", { body: { url, events, ...body } });
    return [status, error?.fields];
  };
  const https = { url: ["Enter a URL that begins with https://"] };
  expect(await rejectionOf({ url: "http://8.8.8.8/" })).toEqual([422, https]);
  expect(await rejectionOf({ url: "no address" })).toEqual([422, https]);
  const secret = { url: ["Remove the user name and password from the URL"] };
  expect(await rejectionOf({ url: "https://user:secret@example.com/" })).toEqual([422, secret]);
  expect(await rejectionOf({ url: "https://:secret@example.com/" })).toEqual([422, secret]);
  const inside = { url: ["Enter a publicly reachable URL"] };
  expect(await rejectionOf({ url: "https://127.0.0.1/" })).toEqual([422, inside]);
  expect(await rejectionOf({ url: "https://[::ffff:10.0.0.1]/" })).toEqual([422, inside]);
  expect(await rejectionOf({ events: [] })).toEqual([422, { events: ["Choose at least one event"] }]);
  expect(await rejectionOf({ events: ["campaign.nonsense"] })).toEqual([
    422,
    { events: ["Unknown event. Choose events from the list."] },
  ]);
  expect((await api("GET /api/webhooks", {})).body.webhooks).toEqual([]);
});

test("a test is a delivery, and a delivery is resent with its event's id", async () => {
  const { api } = await member("advertiser");
  const { id } = (await api("POST /api/webhooks", { body: { url, events } })).body.webhook;
  const tested = await api("POST /api/webhooks/{id}/test", { params: { id } });
  expect([tested.status, tested.body.delivery]).toMatchObject([
    202,
    { event: "webhook.test", state: "waiting", attempts: 0, last_status: null, next_try_at: expect.any(String) },
  ]);
  await db().update(webhookDeliveries).set({ state: "failed", nextTryAt: null, attempts: 8, lastStatus: 500 });
  const params = { id: tested.body.delivery.id };
  const replayed = await api("POST /api/webhook-deliveries/{id}/replay", { params });
  const { event_id, body } = tested.body.delivery;
  expect(replayed.body.delivery).toMatchObject({ event_id, body, state: "waiting", attempts: 0 });
  const listed = await api("GET /api/webhooks/{id}/deliveries", { params: { id } });
  expect(listed.body).toEqual({ deliveries: [replayed.body.delivery], next_cursor: null });
  expect((await api("POST /api/webhooks/{id}/enable", { params: { id } })).body.webhook.state).toBe("active");
});

const secret = "whsec_of-the-tests";
const body = '{"data":{"campaign_name":"Größe “7”"}}';
const at = new Date(1_700_000_000_999);
const signature = signWebhookBody({ secrets: [secret], body, at });
const overlap = signWebhookBody({ secrets: ["whsec_new", secret], body, at });
const cases: [secret: string, signature: string, body: string, now: number, isOurs: boolean][] = [
  [secret, signature, body, 1_700_000_100, true],
  [`${secret}x`, signature, body, 1_700_000_100, false],
  [secret, signature, `${body} `, 1_700_000_100, false],
  [secret, signature.replace("t=1700000000", "t=1700000001"), body, 1_700_000_100, false],
  [secret, signature.replace(/v1=.*/, "v1=00"), body, 1_700_000_100, false],
  [secret, "t=1700000000", body, 1_700_000_100, false],
  [secret, signature, body, 1_700_000_301, false],
  [secret, overlap, body, 1_700_000_100, true],
  ["whsec_new", overlap, body, 1_700_000_100, true],
  ["whsec_other", overlap, body, 1_700_000_100, false],
  [secret, overlap.replaceAll(/v1=../g, "v1=zz"), body, 1_700_000_100, false],
];
const expected = cases.map(([, , , , isOurs]) => isOurs);

/** Returns the documentation's example in a language. */
function example(language: string): string {
  const fence = new RegExp(`^\`\`\`${language}\n([\\s\\S]+?)^\`\`\`$`, "m");
  return fence.exec(readFileSync("docs/api.md", "utf8"))?.[1] ?? expect.fail(language);
}

test("the documented Node verification accepts our signature and rejects a forged, changed or old one", async () => {
  const { isFromEndcap } = await import(`data:text/javascript,${encodeURIComponent(example("js"))}`);
  expect(cases.map(([one, two, three, now]) => isFromEndcap(one, two, three, now))).toEqual(expected);
});

const hasPython = spawnSync("python3", ["-c", "import sys; assert sys.version_info >= (3, 10)"]).status === 0;

test.skipIf(!hasPython)("and so does the one in Python", () => {
  const script = `${example("python")}
import json, sys
print(json.dumps([is_from_endcap(one, two, three.encode(), now) for one, two, three, now, _ in json.load(sys.stdin)]))`;
  const { stdout } = spawnSync("python3", ["-c", script], { input: JSON.stringify(cases), encoding: "utf8" });
  expect(JSON.parse(stdout)).toEqual(expected);
});

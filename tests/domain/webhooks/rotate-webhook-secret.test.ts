import { createHmac } from "node:crypto";
import { eq } from "drizzle-orm";
import { afterAll, afterEach, beforeAll, beforeEach, expect, test, vi } from "vitest";
import { newId, type WebhookId } from "#app/domain/ids.ts";
import { createWebhook } from "#app/domain/webhooks/create-webhook.server.ts";
import { deleteExpiredWebhookSecrets } from "#app/domain/webhooks/delete-expired-webhook-secrets.server.ts";
import { deliverWebhook } from "#app/domain/webhooks/deliver-webhook.server.ts";
import { listWebhookDeliveries } from "#app/domain/webhooks/list-webhook-deliveries.server.ts";
import { getWebhook } from "#app/domain/webhooks/list-webhooks.server.ts";
import { rotateWebhookSecret } from "#app/domain/webhooks/rotate-webhook-secret.server.ts";
import { testWebhook } from "#app/domain/webhooks/test-webhook.server.ts";
import * as environment from "#app/env.server.ts";
import { auditEntries, webhooks } from "#db/schema/index.ts";
import { useDatabase } from "#tests/support/database/database.ts";
import { expectDomainError } from "#tests/support/expect-domain-error.ts";
import { startWebhookReceiver } from "#tests/support/fakes/webhook-receiver.ts";
import { useEnvironment } from "#tests/support/use-environment.ts";
import { createWorld, type World } from "#tests/support/world.ts";

const db = useDatabase();
useEnvironment({ ALLOW_PRIVATE_OUTBOUND: "1" });
let world: World;
let receiver: Awaited<ReturnType<typeof startWebhookReceiver>>;
let movedMinutes = 0;
beforeAll(async () => {
  world = await createWorld(db());
  receiver = await startWebhookReceiver();
});
beforeEach(() => {
  receiver.received.length = 0;
});
afterEach(async () => {
  vi.restoreAllMocks();
  advanceMinutes(-movedMinutes);
  await db().delete(webhooks);
});
afterAll(() => receiver.stop());

const day = 24 * 60;
const make = () => createWebhook(world.northwind, { url: receiver.url, events: ["campaign.approved"] });
const rotate = (id: WebhookId) => rotateWebhookSecret(world.northwind, { id });

function advanceMinutes(minutes: number) {
  world.setNow(new Date(world.clock().getTime() + minutes * 60_000).toISOString());
  movedMinutes += minutes;
}

/** Sends a test event and returns whose secrets signed it, in the order of the signature header. */
async function signedBy(id: WebhookId, secrets: Record<string, string>): Promise<(string | undefined)[]> {
  const delivery = await testWebhook(world.northwind, { id });
  await deliverWebhook(world.job, { id: delivery.id, sending: { allowPrivate: true, timeoutMs: 20_000 } });
  const { headers, body } = receiver.received.at(-1) ?? expect.fail("nothing was sent");
  const [time, ...signatures] = String(headers["endcap-signature"]).split(",");
  const sign = (secret: string) =>
    createHmac("sha256", secret)
      .update(`${time?.slice(2)}.${body}`)
      .digest("hex");
  return signatures.map((signature) => {
    const [name] = Object.entries(secrets).find(([, secret]) => `v1=${sign(secret)}` === signature) ?? [];
    return name;
  });
}

test("a rotated secret signs each event for 24 hours together with the one before, which is last, then alone", async () => {
  const { webhook, secret: first } = await make();
  const { id } = webhook;
  expect(webhook.previousSecretExpiresAt).toBeNull();
  expect(await signedBy(id, { first })).toEqual(["first"]);
  const rotated = await rotate(id);
  const second = rotated.secret;
  expect(second).toMatch(/^whsec_[\w-]{43}$/);
  expect(second).not.toBe(first);
  const expiresAt = new Date(world.clock().getTime() + 24 * 3_600_000);
  expect(rotated.webhook).toEqual({ ...webhook, previousSecretExpiresAt: expiresAt });
  expect(await getWebhook(world.northwind, id)).toEqual(rotated.webhook);
  expect(await signedBy(id, { first, second })).toEqual(["second", "first"]);
  advanceMinutes(day - 1);
  expect(await signedBy(id, { first, second })).toEqual(["second", "first"]);
  advanceMinutes(1);
  expect(await signedBy(id, { first, second })).toEqual(["second"]);
  expect((await getWebhook(world.northwind, id)).previousSecretExpiresAt).toBeNull();
});

test("a secret that is rotated again within 24 hours keeps the one before the first rotation, for another 24", async () => {
  const { webhook, secret: first } = await make();
  const { id } = webhook;
  const { secret: lost } = await rotate(id);
  advanceMinutes(day - 1);
  const { secret: third } = await rotate(id);
  advanceMinutes(day - 1);
  expect(await signedBy(id, { first, lost, third })).toEqual(["third", "first"]);
  advanceMinutes(1);
  const { secret: fourth } = await rotate(id);
  expect(await signedBy(id, { first, lost, third, fourth })).toEqual(["fourth", "third"]);
});

test("secrets that are rotated at once leave one current secret and the one from before", async () => {
  const { webhook, secret: first } = await make();
  const rotated = await Promise.all([rotate(webhook.id), rotate(webhook.id), rotate(webhook.id)]);
  const [one = "", two = "", three = ""] = rotated.map(({ secret }) => secret);
  const [current, previous, ...others] = await signedBy(webhook.id, { first, one, two, three });
  expect([previous, others]).toEqual(["first", []]);
  expect(["one", "two", "three"]).toContain(current);
});

test("a previous secret that has expired is deleted", async () => {
  const { webhook } = await make();
  await rotate(webhook.id);
  const stored = async () => (await db().select().from(webhooks)).map(({ previousSecret }) => previousSecret !== null);
  advanceMinutes(day - 1);
  expect(await deleteExpiredWebhookSecrets(world.job)).toBe(0);
  expect(await stored()).toEqual([true]);
  advanceMinutes(1);
  expect(await deleteExpiredWebhookSecrets(world.job)).toBe(1);
  expect(await stored()).toEqual([false]);
});

test("a secret that cannot be decrypted is replaced by rotating it", async () => {
  const { webhook } = await make();
  const { id } = webhook;
  const variables = { DATA_DIR: "none-here", ALLOW_PRIVATE_OUTBOUND: "1", SESSION_SECRET: "x".repeat(32) };
  vi.spyOn(environment, "env").mockReturnValue(environment.readEnv(variables));
  const delivery = await testWebhook(world.northwind, { id });
  await deliverWebhook(world.job, { id: delivery.id, sending: { allowPrivate: true } });
  expect((await listWebhookDeliveries(world.northwind, { webhookId: id })).rows).toMatchObject([
    { state: "failed", lastError: "The webhook secret can't be decrypted. Rotate the secret of this webhook." },
  ]);
  const { secret } = await rotate(id);
  expect(await signedBy(id, { secret })).toEqual(["secret"]);
});

test("a rotation is in the audit trail, without the secret", async () => {
  const { webhook, secret: first } = await make();
  const { secret } = await rotate(webhook.id);
  const entries = await db().select().from(auditEntries).where(eq(auditEntries.entityId, webhook.id));
  expect(entries.map(({ action }) => action)).toEqual(["webhook.created", "webhook.secret_rotated"]);
  const rows = (await db().select().from(webhooks)).map((row) => [row.secret, row.previousSecret]);
  const text = JSON.stringify([entries, rows.flat().map((bytes) => bytes?.toString("latin1"))]);
  for (const one of [first, secret]) expect(text).not.toContain(one.slice(6));
});

test("another account cannot rotate it", async () => {
  const { webhook, secret } = await make();
  for (const stranger of [world.brightside, world.harbor])
    await expectDomainError(rotateWebhookSecret(stranger, { id: webhook.id }), "not_found");
  await expectDomainError(rotate(newId<WebhookId>()), "not_found");
  expect(await signedBy(webhook.id, { secret })).toEqual(["secret"]);
});

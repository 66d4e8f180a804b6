import { createHmac } from "node:crypto";
import { setTimeout as sleep } from "node:timers/promises";
import { eq, sql } from "drizzle-orm";
import { afterAll, beforeAll, beforeEach, describe, expect, onTestFinished, test, vi } from "vitest";
import { z } from "zod";
import { pauseCampaign } from "#app/domain/campaigns/pause-campaign.server.ts";
import { reviewCampaign } from "#app/domain/campaigns/review-campaign.server.ts";
import type { Ctx, TenantActor } from "#app/domain/context.ts";
import { newId, type WebhookDeliveryId, type WebhookId } from "#app/domain/ids.ts";
import { listMails } from "#app/domain/notifications/list-mails.server.ts";
import { mailStates } from "#app/domain/notifications/notification.ts";
import { describeNotification } from "#app/domain/notifications/notification-copy.ts";
import { inTransaction } from "#app/domain/transaction.server.ts";
import { sweepWebhookDeliveries } from "#app/domain/webhooks/claim-webhook-delivery.server.ts";
import { createWebhook } from "#app/domain/webhooks/create-webhook.server.ts";
import { deliverWebhook } from "#app/domain/webhooks/deliver-webhook.server.ts";
import { enableWebhook } from "#app/domain/webhooks/enable-webhook.server.ts";
import { listWebhookDeliveries } from "#app/domain/webhooks/list-webhook-deliveries.server.ts";
import { getWebhook, listWebhooks } from "#app/domain/webhooks/list-webhooks.server.ts";
import { removeWebhook } from "#app/domain/webhooks/remove-webhook.server.ts";
import { replayWebhookDelivery } from "#app/domain/webhooks/replay-webhook-delivery.server.ts";
import { testWebhook } from "#app/domain/webhooks/test-webhook.server.ts";
import { maxAttempts } from "#app/domain/webhooks/webhook.ts";
import { webhookEvents } from "#app/domain/webhooks/webhook-events.ts";
import { webhookSchema } from "#app/domain/webhooks/webhook-payloads.ts";
import { openMailTransport } from "#app/mail/mail-transport.server.ts";
import { checkOutboundUrl } from "#app/outbound/check-outbound-url.server.ts";
import { queryRows } from "#db/query-rows.server.ts";
import { accounts, auditEntries, mails, webhookDeliveries, webhooks } from "#db/schema/index.ts";
import { startTaskWorker } from "#server/jobs/task-worker.ts";
import { useDatabase } from "#tests/support/database/database.ts";
import { expectDomainError } from "#tests/support/expect-domain-error.ts";
import { startMailCatcher } from "#tests/support/fakes/mail-catcher.ts";
import { startWebhookReceiver } from "#tests/support/fakes/webhook-receiver.ts";
import { useEnvironment } from "#tests/support/use-environment.ts";
import { createWorld, type World } from "#tests/support/world.ts";

const db = useDatabase();
useEnvironment({ ALLOW_PRIVATE_OUTBOUND: "1" });
let world: World;
let receiver: Awaited<ReturnType<typeof startWebhookReceiver>>;
beforeAll(async () => {
  world = await createWorld(db());
  receiver = await startWebhookReceiver();
});
beforeEach(async () => {
  await db().delete(webhooks);
  receiver.received.length = 0;
  receiver.mood.answer = 200;
});
afterAll(() => receiver.stop());

const sending = { allowPrivate: true, timeoutMs: 300 };
const make = (by: Ctx<TenantActor> = world.northwind, events = [...webhookEvents]) =>
  createWebhook(by, { url: receiver.url, events });
const sent = async (webhookId: WebhookId, by: Ctx<TenantActor> = world.northwind) =>
  (await listWebhookDeliveries(by, { webhookId })).rows;
async function deliverAll(webhookId: WebhookId, by: Ctx<TenantActor> = world.northwind) {
  for (const { id } of await sent(webhookId, by)) await deliverWebhook(world.job, { id, sending });
}
/** Leaves the delivery's job as a worker that died does. */
async function lockJob(id: WebhookDeliveryId, { minutesAgo }: { minutesAgo: number }) {
  await db.owner().execute(sql`
    update graphile_worker._private_jobs set locked_by = 'a worker that died', locked_at = now() - ${minutesAgo} * interval '1 minute'
    where key = ${`webhook ${id}`}`);
}
async function approved() {
  const id = await world.aLaunchedCampaign();
  await reviewCampaign(world.harbor, { id, action: "approve", notes: "Call Jo on 555 0100" });
  return id;
}

describe("an event", () => {
  test("is signed, states what happened without personal data, and the other party gets its own", async () => {
    const { webhook, secret } = await make();
    const publishers = await make(world.harbor, ["campaign.decision_needed"]);
    const id = await approved();
    await deliverAll(webhook.id);
    await deliverAll(publishers.webhook.id, world.harbor);
    expect(receiver.received.map(({ headers }) => headers["endcap-event"])).toEqual([
      "campaign.approved",
      "campaign.submitted",
      "campaign.decision_needed",
    ]);
    const [first] = receiver.received;
    const { headers, body } = first ?? expect.fail();
    const { t, v1 } = Object.fromEntries(
      String(headers["endcap-signature"])
        .split(",")
        .map((part) => part.split("=")),
    );
    expect(Number(t)).toBe(world.clock().getTime() / 1000);
    expect(headers["endcap-timestamp"]).toBe(t);
    expect(v1).toBe(
      createHmac("sha256", Buffer.from(secret, "utf8"))
        .update(Buffer.from(`${t}.${body}`))
        .digest("hex"),
    );
    expect(JSON.parse(body)).toEqual({
      id: headers["endcap-event-id"],
      type: "campaign.approved",
      version: 1,
      created_at: "2026-11-20T12:00:00.000Z",
      data: {
        campaign_id: id,
        campaign_name: "Ridgeline Packs",
        advertiser_name: "Northwind Outdoors",
        publisher_name: "Harbor Goods",
      },
    });
    const withoutIds = (text: string) => text.replaceAll(/[\da-f]{8}(-[\da-f]{4}){3}-[\da-f]{12}/g, "");
    expect(receiver.received.map((one) => withoutIds(one.body)).join()).not.toMatch(/555|Jo |@/);
    expect(await sent(webhook.id)).toMatchObject([
      { event: "campaign.approved", state: "delivered", attempts: 1, lastStatus: 200, nextTryAt: null },
      { event: "campaign.submitted", state: "delivered" },
    ]);
  });

  test("is sent as chosen, to approved accounts, and not when rolled back", async () => {
    const { webhook } = await make(world.northwind, ["campaign.approved"]);
    const campaign = await world.aLaunchedCampaign();
    const rolledBack = inTransaction(world.harbor, async (tx) => {
      await reviewCampaign(tx, { id: campaign, action: "approve" });
      throw new Error("undone");
    });
    await expect(rolledBack).rejects.toThrow("undone");
    expect(await sent(webhook.id)).toEqual([]);
    const suspended = (status: "suspended" | "approved") =>
      db()
        .update(accounts)
        .set({ status })
        .where(eq(accounts.id, world.accountId("northwind")));
    await approved();
    await suspended("suspended");
    await reviewCampaign(world.harbor, { id: campaign, action: "approve" });
    expect(await sent(webhook.id)).toHaveLength(1);
    await deliverAll(webhook.id);
    expect(receiver.received).toEqual([]);
    expect(await sent(webhook.id)).toMatchObject([{ state: "failed", lastError: "The account is suspended" }]);
    await suspended("approved");
  });
});

describe("a failure", () => {
  test.each([
    [500, 500, "Your server responded with 500"],
    [410, 410, "Your server responded with 410"],
    ["redirect", 307, "Your server responded with a redirect (307). Redirects are not followed."],
    ["slow", null, "Your server did not respond in time"],
    ["cut", null, "Your server could not be reached or closed the connection"],
    ["switched", null, "Your server could not be reached or closed the connection"],
    ["huge", null, "The response was larger than 64 KB"],
  ] as const)("with %s is retried later, with our own message", async (answer, lastStatus, lastError) => {
    receiver.mood.answer = answer;
    const { webhook } = await make();
    const { id } = await testWebhook(world.northwind, { id: webhook.id });
    await deliverWebhook(world.job, { id, sending });
    const nextTryAt = new Date(world.clock().getTime() + 10_000);
    expect(await sent(webhook.id)).toMatchObject([{ state: "waiting", attempts: 1, lastStatus, lastError, nextTryAt }]);
    expect(receiver.received).toHaveLength(1);
    const [job] = await queryRows(
      db(),
      z.object({ late: z.string() }),
      sql`select round(extract(epoch from run_at - now())) as late from graphile_worker._private_jobs where key = ${`webhook ${id}`}`,
    );
    expect(Number(job?.late)).toBeGreaterThan(5);
  });

  test("to a private address is not sent, whatever its name resolved to when it was entered", async () => {
    const { webhook } = await make();
    const { id } = await testWebhook(world.northwind, { id: webhook.id });
    await deliverWebhook(world.job, { id, sending: { allowPrivate: false } });
    expect(await sent(webhook.id)).toMatchObject([{ lastError: "The URL points to a private network" }]);
    expect(receiver.received).toEqual([]);
  });

  test("is sent up to eight times within a day; three failed deliveries in a row disable the webhook and notify its owner", async () => {
    receiver.mood.answer = 503;
    const { webhook } = await make();
    const deliverTest = async () => {
      const { id } = await testWebhook(world.northwind, { id: webhook.id });
      const retryDelays: number[] = [];
      for (let tried = 0; tried < 9; tried += 1) {
        await deliverWebhook(world.job, { id, sending });
        const [row] = await sent(webhook.id);
        if (row?.nextTryAt) retryDelays.push((row.nextTryAt.getTime() - world.clock().getTime()) / 1000);
      }
      return retryDelays;
    };
    expect(await deliverTest()).toEqual([10, 60, 300, 1_800, 7_200, 21_600, 54_000]);
    expect(receiver.received).toHaveLength(8);
    expect(new Set(receiver.received.map(({ headers }) => headers["endcap-event-id"])).size).toBe(1);
    receiver.mood.answer = 204;
    await deliverTest();
    receiver.mood.answer = 503;
    await deliverTest();
    await deliverTest();
    expect((await getWebhook(world.northwind, webhook.id)).state).toBe("active");
    const waiting = await testWebhook(world.northwind, { id: webhook.id });
    await deliverTest();
    expect((await getWebhook(world.northwind, webhook.id)).state).toBe("disabled");
    const [mail] = (await listMails(world.job, { limit: 1, states: mailStates })).rows;
    const { title, path, lines } = describeNotification(mail ?? expect.fail(), "advertiser");
    // What happens from now on is not queued, as is seen below.
    expect(lines.join(" ")).toMatch(/resend the failed events\..+we don't send events/);
    expect([title, path]).toEqual([
      `The webhook for ${new URL(receiver.url).host} was disabled`,
      `/webhooks/${webhook.id}`,
    ]);
    await deliverWebhook(world.job, { id: waiting.id, sending });
    await expectDomainError(testWebhook(world.northwind, { id: webhook.id }), "invalid_transition");
    await expectDomainError(replayWebhookDelivery(world.northwind, { id: waiting.id }), "invalid_transition");
    const count = (await sent(webhook.id)).length;
    await approved();
    expect(await sent(webhook.id)).toHaveLength(count);
    receiver.mood.answer = 200;
    expect((await enableWebhook(world.northwind, { id: webhook.id })).state).toBe("active");
    await replayWebhookDelivery(world.northwind, { id: waiting.id });
    await deliverWebhook(world.job, { id: waiting.id, sending });
    const again = (await sent(webhook.id)).find(({ id }) => id === waiting.id);
    expect(again).toMatchObject({ state: "delivered", attempts: 1, lastError: null });
  });
});

test("a delivery whose process died is resent with its id; deliveries older than a month are deleted", async () => {
  const { webhook } = await make();
  const { id } = await testWebhook(world.northwind, { id: webhook.id });
  await lockJob(id, { minutesAgo: 6 });
  await db()
    .update(webhookDeliveries)
    .set({ state: "sending", nextTryAt: null, attemptedAt: new Date(world.clock().getTime() - 6 * 60_000) });
  expect(await sweepWebhookDeliveries(world.job, { retentionDays: 30 })).toBe(1);
  expect(await sweepWebhookDeliveries(world.job, { retentionDays: 30 })).toBe(0);
  await deliverWebhook(world.job, { id, sending });
  expect(receiver.received).toHaveLength(1);
  world.advanceDays(31);
  expect(await sweepWebhookDeliveries(world.job, { retentionDays: 30 })).toBe(1);
  world.advanceDays(-31);
  expect(await sent(webhook.id)).toEqual([]);
});

test("a delivery whose process died at its last attempt has failed", async () => {
  const { webhook } = await make();
  const { id } = await testWebhook(world.northwind, { id: webhook.id });
  const attemptedAt = new Date(world.clock().getTime() - 6 * 60_000);
  await db()
    .update(webhookDeliveries)
    .set({ state: "sending", nextTryAt: null, attempts: maxAttempts, attemptedAt })
    .where(eq(webhookDeliveries.id, id));
  expect(await sweepWebhookDeliveries(world.job, { retentionDays: 30 })).toBe(1);
  expect(await sent(webhook.id)).toMatchObject([{ id, state: "failed", lastError: "Sending was interrupted" }]);
});

test("a delivery that cannot be deleted does not keep another from being resent", async () => {
  const { webhook } = await make();
  const { id: old } = await testWebhook(world.northwind, { id: webhook.id });
  await deliverWebhook(world.job, { id: old, sending });
  const { id: stale } = await testWebhook(world.northwind, { id: webhook.id });
  await db()
    .update(webhookDeliveries)
    .set({ state: "sending", nextTryAt: null, attemptedAt: world.clock() })
    .where(eq(webhookDeliveries.id, stale));
  world.advanceDays(31);
  await db().transaction(async (tx) => {
    await tx.select().from(webhookDeliveries).where(eq(webhookDeliveries.id, old)).for("update");
    await expect(sweepWebhookDeliveries(world.job, { retentionDays: 30 })).rejects.toThrow();
  });
  expect(await sent(webhook.id)).toMatchObject([{ id: stale, state: "waiting" }, { id: old }]);
  expect(await sweepWebhookDeliveries(world.job, { retentionDays: 30 })).toBe(1);
  world.advanceDays(-31);
});

test("an event whose process died before it began to send is sent five minutes later", async () => {
  const { webhook } = await make();
  const { id } = await testWebhook(world.northwind, { id: webhook.id });
  await lockJob(id, { minutesAgo: 4 });
  expect(await sweepWebhookDeliveries(world.job, { retentionDays: 30 })).toBe(0);
  await lockJob(id, { minutesAgo: 6 });
  expect(await sweepWebhookDeliveries(world.job, { retentionDays: 30 })).toBe(1);
  expect(await sweepWebhookDeliveries(world.job, { retentionDays: 30 })).toBe(0);
  const { stop } = startTaskWorker({ url: db.url(), db: db(), clock: world.clock, sending });
  await vi.waitFor(async () => expect(await sent(webhook.id)).toMatchObject([{ state: "delivered" }]), 20_000);
  await stop();
  expect(receiver.received).toHaveLength(1);
});

test("two workers at once send each event once, and none of a removed webhook", async () => {
  const gone = await make();
  await approved();
  await removeWebhook(world.northwind, { id: gone.webhook.id });
  const { webhook } = await make();
  for (let count = 0; count < 3; count += 1) {
    const id = await approved();
    await pauseCampaign(world.northwind, { id });
  }
  // On a busy machine a receiver may take longer than 300 ms, and the event would be sent again.
  const patient = { ...sending, timeoutMs: 20_000 };
  const worker = () => startTaskWorker({ url: db.url(), db: db(), clock: world.clock, sending: patient }).stop;
  const stops = [worker(), worker()];
  for (const from = Date.now(); (await sent(webhook.id)).some(({ state }) => state !== "delivered"); await sleep(20)) {
    if (Date.now() - from > 20_000) expect.fail(JSON.stringify(await sent(webhook.id)));
  }
  for (const stop of stops) await stop();
  expect(receiver.received).toHaveLength(6);
  expect(new Set(receiver.received.map(({ headers }) => headers["endcap-event-id"])).size).toBe(6);
});

test("an event is sent while many emails wait for a mail server that is silent", async () => {
  await db().delete(mails);
  await db().update(accounts).set({ isDemo: false });
  const catcher = await startMailCatcher();
  catcher.mood.silent = "before";
  const { webhook } = await make(world.northwind, ["campaign.submitted"]);
  for (let count = 0; count < 8; count += 1) await world.aLaunchedCampaign();
  const transport = openMailTransport({ smtpUrl: catcher.url, mailFrom: "mail@endcap.example" }, 5_000);
  const patient = { ...sending, timeoutMs: 20_000 };
  const { stop } = startTaskWorker({ url: db.url(), db: db(), clock: world.clock, sending: patient, transport });
  onTestFinished(async () => {
    await stop();
    await catcher.stop();
    await db().update(accounts).set({ isDemo: true });
  });
  const isSent = async () => (await sent(webhook.id)).every(({ state }) => state === "delivered");
  await expect.poll(isSent, { timeout: 30_000 }).toBe(true);
  expect(receiver.received).toHaveLength(8);
  expect((await db().select().from(mails)).map(({ state }) => state)).not.toContain("sent");
}, 60_000);

test("the secret is stored nowhere readable", async () => {
  const { webhook, secret } = await make();
  await testWebhook(world.northwind, { id: webhook.id });
  const rows = [
    await db().select().from(webhookDeliveries),
    await db().select().from(auditEntries),
    (await db().select().from(webhooks)).map((row) => ({ ...row, secret: row.secret.toString("latin1") })),
    await listWebhooks(world.northwind, {}),
  ];
  expect(secret).toMatch(/^whsec_[\w-]{43}$/);
  expect(JSON.stringify(rows)).not.toContain(secret.slice(6));
});

test("another account finds none of it", async () => {
  const { webhook } = await make();
  const { id } = await testWebhook(world.northwind, { id: webhook.id });
  for (const stranger of [world.brightside, world.harbor]) {
    expect((await listWebhooks(stranger, {})).rows).toEqual([]);
    await expectDomainError(getWebhook(stranger, webhook.id), "not_found");
    await expectDomainError(listWebhookDeliveries(stranger, { webhookId: webhook.id }), "not_found");
    await expectDomainError(replayWebhookDelivery(stranger, { id }), "not_found");
    await expectDomainError(testWebhook(stranger, { id: webhook.id }), "not_found");
    await expectDomainError(enableWebhook(stranger, { id: webhook.id }), "not_found");
    await expectDomainError(removeWebhook(stranger, { id: webhook.id }), "not_found");
  }
  await expectDomainError(removeWebhook(world.northwind, { id: newId<WebhookId>() }), "not_found");
});

describe("valid input", () => {
  test("is ten webhooks, added one at a time", async () => {
    for (let count = 0; count < 9; count += 1) await make();
    const made = await Promise.allSettled([make(), make(), make()]);
    expect(made.map(({ status }) => status).sort()).toEqual(["fulfilled", "rejected", "rejected"]);
  });

  test.each([
    "ftp://example.com",
    "example.com",
    "https://me:word@example.com/",
    "javascript:alert(1)",
    "",
    `https://example.com/${"x".repeat(2_000)}`,
  ])("%s is not a valid URL", (url) => {
    expect(webhookSchema.safeParse({ url, events: ["campaign.approved"] }).success).toBe(false);
  });

  test("is known events, at least one, each once", () => {
    const read = (events: unknown) => webhookSchema.safeParse({ url: "https://example.com/#x", events });
    expect(read(["campaign.approved", "campaign.approved"]).data).toEqual({
      url: "https://example.com/",
      events: ["campaign.approved"],
    });
    for (const events of [[], ["campaign.nonsense"], "campaign.approved", undefined, null]) {
      expect(read(events).success).toBe(false);
    }
  });

  test.each([
    ["http://hooks.example.com/", "not_https"],
    ["https://127.0.0.1/", "refused_address"],
    ["https://127.1/", "refused_address"],
    ["https://2130706433/", "refused_address"],
    ["https://0177.0.0.1/", "refused_address"],
    ["https://[::1]/", "refused_address"],
    ["https://[::ffff:127.0.0.1]/", "refused_address"],
    ["https://[64:ff9b::7f00:1]/", "refused_address"],
    ["https://[fd00::1]/", "refused_address"],
    ["https://[2002:7f00:1::]/", "refused_address"],
    ["https://10.1.2.3/", "refused_address"],
    ["https://172.16.0.1/", "refused_address"],
    ["https://192.168.1.1/", "refused_address"],
    ["https://169.254.169.254/", "refused_address"],
    ["https://100.64.0.1/", "refused_address"],
    ["https://224.0.0.1/", "refused_address"],
    ["https://localhost/", "refused_address"],
    ["https://8.8.8.8/", undefined],
    ["https://[2606:4700::1111]/", undefined],
    ["https://no-such-name.invalid/", undefined],
  ] as const)("%s: %s", async (url, problem) => {
    expect(await checkOutboundUrl(new URL(url), { allowPrivate: false })).toBe(problem);
  });
});

import { and, eq, inArray, lt, sql } from "drizzle-orm";
import { accounts, webhookDeliveries, webhooks } from "#db/schema/index.ts";
import { recordAudit } from "../audit/record-audit.server.ts";
import type { Ctx, JobActor } from "../context.ts";
import { deleteInBatches } from "../delete-in-batches.server.ts";
import type { WebhookDeliveryId } from "../ids.ts";
import { isJobAbandoned } from "../is-job-abandoned.server.ts";
import { inTransaction } from "../transaction.server.ts";
import { enqueueWebhookJobs } from "./enqueue-webhook-deliveries.server.ts";
import { maxAttempts, maxConsecutiveFailures, retryDelaySeconds } from "./webhook.ts";

/** Claims a waiting delivery, so that no other worker sends it. Returns undefined when the delivery is not waiting. */
export async function claimWebhookDelivery(ctx: Ctx<JobActor>, id: WebhookDeliveryId) {
  const [claimed] = await ctx.db
    .update(webhookDeliveries)
    .set({
      state: "sending",
      attempts: sql`${webhookDeliveries.attempts} + 1`,
      attemptedAt: ctx.clock(),
      nextTryAt: null,
    })
    .where(and(eq(webhookDeliveries.id, id), eq(webhookDeliveries.state, "waiting")))
    .returning({ id: webhookDeliveries.id });
  if (!claimed) return undefined;
  const [delivery] = await ctx.db
    .select({
      id: webhookDeliveries.id,
      eventId: webhookDeliveries.eventId,
      event: webhookDeliveries.event,
      body: webhookDeliveries.body,
      attempts: webhookDeliveries.attempts,
      webhook: {
        id: webhooks.id,
        accountId: webhooks.accountId,
        url: webhooks.url,
        secret: webhooks.secret,
        previousSecret: webhooks.previousSecret,
        previousSecretExpiresAt: webhooks.previousSecretExpiresAt,
        state: webhooks.state,
      },
      accountStatus: accounts.status,
    })
    .from(webhookDeliveries)
    .innerJoin(webhooks, eq(webhooks.id, webhookDeliveries.webhookId))
    .innerJoin(accounts, eq(accounts.id, webhooks.accountId))
    .where(eq(webhookDeliveries.id, id));
  return delivery;
}

export type ClaimedDelivery = NonNullable<Awaited<ReturnType<typeof claimWebhookDelivery>>>;

/** Marks a delivery as delivered and resets the webhook's count of consecutive failures. */
export async function markWebhookDelivered(ctx: Ctx<JobActor>, { id, webhook }: ClaimedDelivery, status: number) {
  await inTransaction(ctx, async (tx) => {
    await tx.db
      .update(webhookDeliveries)
      .set({ state: "delivered", lastStatus: status, lastError: null, deliveredAt: tx.clock() })
      .where(and(eq(webhookDeliveries.id, id), eq(webhookDeliveries.state, "sending")));
    await tx.db
      .update(webhooks)
      .set({ consecutiveFailures: 0 })
      .where(and(eq(webhooks.id, webhook.id), sql`${webhooks.consecutiveFailures} > 0`));
  });
}

export type DeliveryFailure = { status: number | null; message: string; isFinal: boolean };

/**
 * Records a failed attempt: the delivery waits for its next attempt, or fails for good when that was the last attempt
 * or a retry cannot help.
 */
export async function failWebhookDelivery(
  ctx: Ctx<JobActor>,
  { id, attempts, webhook }: ClaimedDelivery,
  failure: DeliveryFailure,
) {
  const delaySeconds = failure.isFinal ? undefined : retryDelaySeconds(attempts);
  const last = { lastStatus: failure.status, lastError: failure.message };
  await inTransaction(ctx, async (tx) => {
    const next = delaySeconds === undefined ? null : new Date(tx.clock().getTime() + delaySeconds * 1000);
    const failed = await tx.db
      .update(webhookDeliveries)
      .set({ ...last, state: next ? "waiting" : "failed", nextTryAt: next })
      .where(and(eq(webhookDeliveries.id, id), eq(webhookDeliveries.state, "sending")))
      .returning({ id: webhookDeliveries.id });
    if (failed.length === 0) return;
    if (delaySeconds !== undefined) await enqueueWebhookJobs(tx, { ids: [id], inSeconds: delaySeconds });
    else if (!failure.isFinal) await countFailure(tx, webhook);
  });
}

/** Counts a delivery that failed for good. After three in a row, disables the webhook and notifies its owner. */
async function countFailure(tx: Ctx<JobActor>, { id, accountId, url }: ClaimedDelivery["webhook"]): Promise<void> {
  const [counted] = await tx.db
    .update(webhooks)
    .set({
      consecutiveFailures: sql`${webhooks.consecutiveFailures} + 1`,
      state: sql`case when ${webhooks.consecutiveFailures} + 1 >= ${maxConsecutiveFailures} then 'disabled' else ${webhooks.state} end`,
    })
    .where(and(eq(webhooks.id, id), eq(webhooks.state, "active")))
    .returning({ state: webhooks.state });
  if (counted?.state !== "disabled") return;
  await recordAudit(tx, {
    action: "webhook.disabled",
    entity: "webhook",
    entityId: id,
    accountId,
    after: { host: new URL(url).host },
    notificationFacts: { host: new URL(url).host },
  });
}

const staleAfterMs = 5 * 60_000;
const isLastAttempt = sql`(${webhookDeliveries.attempts} >= ${maxAttempts})`;

/**
 * Requeues the deliveries of a process that died: those that have been "sending" for five minutes, whose event is sent
 * again under the same ID, so that its receiver can recognize the repetition, and those that still wait although a
 * worker took their job five minutes ago. One that was interrupted at its last attempt has failed: it may be what ends
 * the process. Deletes deliveries that ended and are older than `retentionDays`, unless their owner resends them
 * meanwhile. Returns the number of both.
 */
export async function sweepWebhookDeliveries(
  ctx: Ctx<JobActor>,
  { retentionDays }: { retentionDays: number },
): Promise<number> {
  const requeued = await inTransaction(ctx, requeueAbandoned);
  const before = new Date(ctx.clock().getTime() - retentionDays * 86_400_000);
  const isOld = and(inArray(webhookDeliveries.state, ["delivered", "failed"]), lt(webhookDeliveries.createdAt, before));
  return requeued + (await deleteInBatches(ctx, webhookDeliveries, isOld));
}

async function requeueAbandoned(ctx: Ctx<JobActor>): Promise<number> {
  const now = ctx.clock();
  // Read first: the next statement makes more rows wait, whose jobs the dead process has locked as well.
  const abandoned = await ctx.db
    .select({ id: webhookDeliveries.id })
    .from(webhookDeliveries)
    .where(
      and(
        eq(webhookDeliveries.state, "waiting"),
        isJobAbandoned({ key: sql`'webhook ' || ${webhookDeliveries.id}`, staleAfterMs }),
      ),
    )
    .for("update", { skipLocked: true });
  const stale = await ctx.db
    .update(webhookDeliveries)
    .set({
      state: sql`case when ${isLastAttempt} then 'failed' else 'waiting' end`,
      nextTryAt: sql`case when not ${isLastAttempt} then ${now.toISOString()}::timestamptz end`,
      lastError: "Sending was interrupted",
    })
    .where(
      and(
        eq(webhookDeliveries.state, "sending"),
        lt(webhookDeliveries.attemptedAt, new Date(now.getTime() - staleAfterMs)),
      ),
    )
    .returning({ id: webhookDeliveries.id, state: webhookDeliveries.state });
  const waiting = [...stale.filter(({ state }) => state === "waiting"), ...abandoned];
  await enqueueWebhookJobs(ctx, { ids: waiting.map(({ id }) => id) });
  return stale.length + abandoned.length;
}

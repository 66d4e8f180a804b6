import { and, eq, inArray, lt, sql } from "drizzle-orm";
import { accounts, webhookDeliveries, webhooks } from "#db/schema/index.ts";
import { recordAudit } from "../audit/record-audit.server.ts";
import type { Ctx, JobActor } from "../context.ts";
import type { WebhookDeliveryId } from "../ids.ts";
import { inTransaction } from "../transaction.server.ts";
import { queueSending } from "./queue-webhooks.server.ts";
import { deliveriesAreKept, mostGivenUp, secondsToNextTry } from "./webhook.ts";

/** Takes a delivery that waits, to send it: nobody else does from now on. Undefined when there is nothing to send. */
export async function takeWebhookDelivery(ctx: Ctx<JobActor>, id: WebhookDeliveryId) {
  const [taken] = await ctx.db
    .update(webhookDeliveries)
    .set({
      state: "sending",
      attempts: sql`${webhookDeliveries.attempts} + 1`,
      attemptedAt: ctx.clock(),
      nextTryAt: null,
    })
    .where(and(eq(webhookDeliveries.id, id), eq(webhookDeliveries.state, "waiting")))
    .returning({ id: webhookDeliveries.id });
  if (!taken) return undefined;
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

export type TakenDelivery = NonNullable<Awaited<ReturnType<typeof takeWebhookDelivery>>>;

/** It was taken: whatever failed before is forgotten. */
export async function endWebhookDelivery(ctx: Ctx<JobActor>, { id, webhook }: TakenDelivery, status: number) {
  await inTransaction(ctx, async (tx) => {
    await tx.db
      .update(webhookDeliveries)
      .set({ state: "delivered", lastStatus: status, lastError: null, deliveredAt: tx.clock() })
      .where(and(eq(webhookDeliveries.id, id), eq(webhookDeliveries.state, "sending")));
    await tx.db
      .update(webhooks)
      .set({ givenUp: 0 })
      .where(and(eq(webhooks.id, webhook.id), sql`${webhooks.givenUp} > 0`));
  });
}

export type Failure = { status: number | null; message: string; isFinal: boolean };

/** It was not taken: it waits for its next try, or is given up when that was the last or none can help. */
export async function failWebhookDelivery(
  ctx: Ctx<JobActor>,
  { id, attempts, webhook }: TakenDelivery,
  failure: Failure,
) {
  const inSeconds = failure.isFinal ? undefined : secondsToNextTry(attempts);
  const last = { lastStatus: failure.status, lastError: failure.message };
  await inTransaction(ctx, async (tx) => {
    const next = inSeconds === undefined ? null : new Date(tx.clock().getTime() + inSeconds * 1000);
    const failed = await tx.db
      .update(webhookDeliveries)
      .set({ ...last, state: next ? "waiting" : "failed", nextTryAt: next })
      .where(and(eq(webhookDeliveries.id, id), eq(webhookDeliveries.state, "sending")))
      .returning({ id: webhookDeliveries.id });
    if (failed.length === 0) return;
    if (inSeconds !== undefined) await queueSending(tx, { ids: [id], inSeconds });
    else if (!failure.isFinal) await countGivenUp(tx, webhook);
  });
}

/** One more that was given up; after three in a row nothing more is sent there, and its owner is told. */
async function countGivenUp(tx: Ctx<JobActor>, { id, accountId, url }: TakenDelivery["webhook"]): Promise<void> {
  const [counted] = await tx.db
    .update(webhooks)
    .set({
      givenUp: sql`${webhooks.givenUp} + 1`,
      state: sql`case when ${webhooks.givenUp} + 1 >= ${mostGivenUp} then 'disabled' else ${webhooks.state} end`,
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
    told: { host: new URL(url).host },
  });
}

const patience = 5 * 60_000;

/**
 * Gives up on who has been sending for five minutes (its process is gone): the event is sent again under the same id, so that its
 * receiver can tell. And forgets what ended a month ago.
 */
export async function sweepWebhookDeliveries(ctx: Ctx<JobActor>): Promise<number> {
  return inTransaction(ctx, async (tx) => {
    const now = tx.clock();
    const gone = await tx.db
      .update(webhookDeliveries)
      .set({ state: "waiting", nextTryAt: now, lastError: "The sending was interrupted" })
      .where(
        and(
          eq(webhookDeliveries.state, "sending"),
          lt(webhookDeliveries.attemptedAt, new Date(now.getTime() - patience)),
        ),
      )
      .returning({ id: webhookDeliveries.id });
    await queueSending(tx, { ids: gone.map(({ id }) => id) });
    const old = new Date(now.getTime() - deliveriesAreKept * 86_400_000);
    const forgotten = await tx.db
      .delete(webhookDeliveries)
      .where(and(inArray(webhookDeliveries.state, ["delivered", "failed"]), lt(webhookDeliveries.createdAt, old)))
      .returning({ id: webhookDeliveries.id });
    return gone.length + forgotten.length;
  });
}

import { and, isNull, lt } from "drizzle-orm";
import type { Ctx, JobActor } from "#app/domain/context.ts";
import { deleteInBatches } from "#app/domain/delete-in-batches.server.ts";
import { paymentSetups, providerEvents, sandboxSetupSessions } from "#db/schema/index.ts";

/**
 * The retention of setup sessions, in milliseconds: longer than a provider's page stays open and than the provider
 * reports its outcome.
 */
const setupRetentionMs = 4 * 24 * 3_600_000;
/** The retention of provider events, in milliseconds: longer than a provider redelivers an event. */
const eventRetentionMs = 90 * 24 * 3_600_000;

/**
 * Deletes setup sessions that added no payment method, the sandbox's pages, and old provider events. A session that
 * added a method is kept, so that it does not add another. Returns the number of rows deleted.
 */
export async function purgePaymentSetups(ctx: Ctx<JobActor>): Promise<number> {
  const now = ctx.clock().getTime();
  const before = new Date(now - setupRetentionMs);
  const abandoned = and(isNull(paymentSetups.paymentMethodId), lt(paymentSetups.createdAt, before));
  return (
    (await deleteInBatches(ctx, paymentSetups, abandoned)) +
    (await deleteInBatches(ctx, sandboxSetupSessions, lt(sandboxSetupSessions.createdAt, before))) +
    (await deleteInBatches(ctx, providerEvents, lt(providerEvents.receivedAt, new Date(now - eventRetentionMs))))
  );
}

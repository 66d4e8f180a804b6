import { and, isNull, lt } from "drizzle-orm";
import { paymentSetups, providerEvents, sandboxPages } from "#db/schema/index.ts";
import type { Ctx, JobActor } from "../../context.ts";

/** Longer than any provider's page stays open, and than it goes on telling us what came of one. */
const keptMs = 4 * 24 * 3_600_000;
/** Longer than a provider sends a message again. */
const eventsKeptMs = 90 * 24 * 3_600_000;

/**
 * Deletes visits to a provider's page that came to nothing, the sandbox's pages, and old messages of a provider's. A visit that made a way to pay stays, so
 * that it makes no other. Answers how many rows.
 */
export async function forgetPaymentPages(ctx: Ctx<JobActor>): Promise<number> {
  const now = ctx.clock().getTime();
  const before = new Date(now - keptMs);
  const abandoned = and(isNull(paymentSetups.paymentMethodId), lt(paymentSetups.createdAt, before));
  const gone = [
    await ctx.db.delete(paymentSetups).where(abandoned),
    await ctx.db.delete(sandboxPages).where(lt(sandboxPages.createdAt, before)),
    await ctx.db.delete(providerEvents).where(lt(providerEvents.receivedAt, new Date(now - eventsKeptMs))),
  ];
  return gone.reduce((sum, { count }) => sum + count, 0);
}

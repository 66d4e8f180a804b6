import { and, asc, eq, lte, sql } from "drizzle-orm";
import { payouts } from "#db/schema/index.ts";
import type { Ctx, JobActor } from "../../context.ts";
import { toCents } from "../../money.ts";
import { failPayout, settlePayout } from "./end-payout.server.ts";
import type { PayoutProviderName } from "./payout.ts";
import { type PayoutProvider, PayoutProviderError } from "./payout-provider.ts";
import { payoutProviderOf } from "./provider-of.server.ts";

type PayoutRow = typeof payouts.$inferSelect;

/** In one run, so that a run ends; the next goes on. */
const most = 500;
/** Longer than a provider takes to answer; then another process may try. */
const leaseMs = 120_000;
const followEveryMs = 15 * 60_000;
const longestWaitMs = 6 * 60 * 60_000;

/**
 * Sends the payouts that are due and follows those on their way. Nothing is locked while the provider is asked, and whoever takes up
 * one that broke off sends it again, which is the same transfer. Gives how many went a step further.
 */
export async function sendDuePayouts(
  ctx: Ctx<JobActor>,
  providerOf: (name: PayoutProviderName) => PayoutProvider = payoutProviderOf,
): Promise<number> {
  let moved = 0;
  for (let count = 0; count < most; count += 1) {
    const payout = await takeDuePayout(ctx);
    if (!payout) break;
    moved += (await move(ctx, payout, providerOf(payout.provider))) ? 1 : 0;
  }
  return moved;
}

async function takeDuePayout(ctx: Ctx<JobActor>): Promise<PayoutRow | undefined> {
  const now = ctx.clock();
  const due = ctx.db
    .select({ id: payouts.id })
    .from(payouts)
    .where(lte(payouts.dueAt, now))
    .orderBy(asc(payouts.dueAt))
    .limit(1)
    .for("update", { skipLocked: true });
  const [payout] = await ctx.db
    .update(payouts)
    .set({ dueAt: new Date(now.getTime() + leaseMs) })
    .where(and(sql`${payouts.id} = (${due})`, lte(payouts.dueAt, now)))
    .returning();
  return payout;
}

async function move(ctx: Ctx<JobActor>, payout: PayoutRow, provider: PayoutProvider): Promise<boolean> {
  try {
    return payout.reference === null ? await send(ctx, payout, provider) : await follow(ctx, payout, provider);
  } catch (error) {
    if (!(error instanceof PayoutProviderError)) throw error;
    const wait = Math.min(longestWaitMs, 60_000 * 2 ** payout.failures);
    await wakeAt(ctx, payout, wait, { failures: payout.failures + 1 });
    return false;
  }
}

async function send(ctx: Ctx<JobActor>, payout: PayoutRow, provider: PayoutProvider): Promise<boolean> {
  const amount = toCents(payout.amountCents);
  const sent = await provider.send(ctx, { payoutId: payout.id, amount, token: payout.token });
  if (sent.status === "failed") return failPayout(ctx, { ...payout, amount, reason: sent.reason });
  return wakeAt(ctx, payout, 0, { status: "in_transit", reference: sent.reference, failures: 0 });
}

async function follow(ctx: Ctx<JobActor>, payout: PayoutRow, provider: PayoutProvider): Promise<boolean> {
  const amount = toCents(payout.amountCents);
  const found = await provider.follow(ctx, payout.reference ?? "");
  if (found.status === "paid") return settlePayout(ctx, { ...payout, amount });
  if (found.status === "failed") return failPayout(ctx, { ...payout, amount, reason: found.reason });
  await wakeAt(ctx, payout, followEveryMs, { failures: 0 });
  return false;
}

/** Writes what is known now, and when it is due again; nothing when another process ended or moved it meanwhile. */
async function wakeAt(
  ctx: Ctx<JobActor>,
  payout: PayoutRow,
  inMs: number,
  known: Partial<Pick<PayoutRow, "status" | "reference" | "failures">>,
): Promise<boolean> {
  const rows = await ctx.db
    .update(payouts)
    .set({ ...known, dueAt: new Date(ctx.clock().getTime() + inMs) })
    .where(and(eq(payouts.id, payout.id), eq(payouts.status, payout.status)))
    .returning({ id: payouts.id });
  return rows.length > 0;
}

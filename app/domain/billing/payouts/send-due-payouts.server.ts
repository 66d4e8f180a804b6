import { and, eq } from "drizzle-orm";
import { payouts } from "#db/schema/index.ts";
import type { Ctx, JobActor } from "../../context.ts";
import type { AccountId } from "../../ids.ts";
import { toCents } from "../../money.ts";
import { takeDue } from "../payments/take-due.server.ts";
import { failPayout, settlePayout } from "./end-payout.server.ts";
import type { PayoutProviderName } from "./payout.ts";
import { type PayoutProvider, PayoutProviderError } from "./payout-provider.ts";
import { payoutProviderOf } from "./provider-of.server.ts";
import { returnPayout } from "./return-payout.server.ts";

type PayoutRow = typeof payouts.$inferSelect;

/** In one run, so that a run ends; the next goes on. */
const most = 500;
const followEveryMs = 15 * 60_000;
const longestWaitMs = 6 * 60 * 60_000;
const dayMs = 24 * 60 * 60_000;

/** What keeps a payout, in the provider's word: something for the operator to clear up. */
type Problem = { publisherId: AccountId; problem: string };

/**
 * Sends the payouts that are due and follows those on their way, and those that arrived while they may come back. Nothing is locked
 * while the provider is asked, and whoever takes up one that broke off sends it again, which is the same transfer. `tell` is for the
 * operator. Gives how many went a step further.
 */
export async function sendDuePayouts(
  ctx: Ctx<JobActor>,
  providerOf: (name: PayoutProviderName) => PayoutProvider = payoutProviderOf,
  tell: (problem: Problem) => void = () => undefined,
): Promise<number> {
  let moved = 0;
  for (let count = 0; count < most; count += 1) {
    const payout = await takeDuePayout(ctx);
    if (!payout) break;
    const problem = (word: string) => tell({ publisherId: payout.publisherId, problem: word });
    moved += (await move(ctx, payout, { provider: providerOf(payout.provider), problem })) ? 1 : 0;
  }
  return moved;
}

async function takeDuePayout(ctx: Ctx<JobActor>): Promise<PayoutRow | undefined> {
  const id = await takeDue(ctx, payouts);
  const [payout] = id ? await ctx.db.select().from(payouts).where(eq(payouts.id, id)) : [];
  return payout;
}

type By = { provider: PayoutProvider; problem: (word: string) => void };

async function move(ctx: Ctx<JobActor>, payout: PayoutRow, by: By): Promise<boolean> {
  try {
    return payout.reference === null ? await send(ctx, payout, by) : await follow(ctx, payout, by);
  } catch (error) {
    if (!(error instanceof PayoutProviderError)) throw error;
    return tryLater(ctx, payout);
  }
}

async function send(ctx: Ctx<JobActor>, payout: PayoutRow, { provider, problem }: By): Promise<boolean> {
  const amount = toCents(payout.amountCents);
  const sent = await provider.send(ctx, { payoutId: payout.id, amount, token: payout.token });
  if (sent.status === "failed") return failPayout(ctx, { ...payout, amount, reason: sent.reason });
  if (sent.status === "accepted") {
    return wakeAt(ctx, payout, 0, { status: "in_transit", reference: sent.reference, failures: 0 });
  }
  problem(sent.problem);
  return tryLater(ctx, payout);
}

async function follow(ctx: Ctx<JobActor>, payout: PayoutRow, { provider, problem }: By): Promise<boolean> {
  const amount = toCents(payout.amountCents);
  const found = await provider.follow(ctx, payout.reference ?? "");
  if (found.status === "failed") {
    const end = payout.status === "paid" ? returnPayout : failPayout;
    return end(ctx, { ...payout, amount, reason: found.reason });
  }
  if (found.status === "paid") {
    const watched = (provider.returnsWithinDays ?? 0) * dayMs;
    const until = (payout.endedAt ?? ctx.clock()).getTime() + watched;
    const next = ctx.clock().getTime() + dayMs;
    const dueAt = next <= until ? new Date(next) : null;
    if (payout.status !== "paid") return settlePayout(ctx, { ...payout, amount, dueAt });
    await setDue(ctx, payout, { dueAt, failures: 0 });
    return false;
  }
  if (found.problem) problem(found.problem);
  if (found.problem) return tryLater(ctx, payout);
  await wakeAt(ctx, payout, followEveryMs, { failures: 0 });
  return false;
}

async function tryLater(ctx: Ctx<JobActor>, payout: PayoutRow): Promise<false> {
  const wait = Math.min(longestWaitMs, 60_000 * 2 ** payout.failures);
  await wakeAt(ctx, payout, wait, { failures: payout.failures + 1 });
  return false;
}

type Known = Partial<Pick<PayoutRow, "status" | "reference" | "failures">>;

/** Writes what is known now, and when it is due again; nothing when another process ended or moved it meanwhile. */
async function wakeAt(ctx: Ctx<JobActor>, payout: PayoutRow, inMs: number, known: Known): Promise<boolean> {
  return setDue(ctx, payout, { ...known, dueAt: new Date(ctx.clock().getTime() + inMs) });
}

async function setDue(ctx: Ctx<JobActor>, payout: PayoutRow, known: Known & { dueAt: Date | null }): Promise<boolean> {
  const rows = await ctx.db
    .update(payouts)
    .set(known)
    .where(and(eq(payouts.id, payout.id), eq(payouts.status, payout.status)))
    .returning({ id: payouts.id });
  return rows.length > 0;
}

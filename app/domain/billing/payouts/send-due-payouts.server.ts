import { and, eq, isNotNull } from "drizzle-orm";
import { getPayoutProvider } from "#app/domain/payments/active-payout-provider.server.ts";
import { type PayoutProvider, PayoutProviderError } from "#app/domain/payments/payout-provider.ts";
import type { PayoutProviderName } from "#app/domain/payments/payout-provider-name.ts";
import { accounts, payouts } from "#db/schema/index.ts";
import type { Ctx, JobActor } from "../../context.ts";
import type { AccountId } from "../../ids.ts";
import { asCents } from "../../money.ts";
import { claimDue } from "../charges/claim-due.server.ts";
import { returnPayout } from "./return-payout.server.ts";
import { failPayout, settlePayout } from "./settle-payout.server.ts";

type PayoutRow = typeof payouts.$inferSelect;

/** The maximum number of payouts in one run; the next run continues. */
const maxPayouts = 500;
const followEveryMs = 15 * 60_000;
const maxRetryDelayMs = 6 * 60 * 60_000;
const dayMs = 24 * 60 * 60_000;

/** Why a payout is stuck, as the provider's code: for the operator to resolve. */
type Problem = { publisherId: AccountId; problem: string };

/**
 * Sends the payouts that are due, and checks those in transit and those that arrived but can still be returned. No lock
 * is held while the provider is called, and a process that resumes an interrupted payout requests the same transfer.
 * `report` is called for problems that the operator has to resolve. Returns how many payouts changed.
 */
export async function sendDuePayouts(
  ctx: Ctx<JobActor>,
  providerOf: (name: PayoutProviderName) => PayoutProvider = getPayoutProvider,
  report: (problem: Problem) => void = () => undefined,
): Promise<number> {
  let changed = 0;
  for (let count = 0; count < maxPayouts && !ctx.stopping?.aborted; count += 1) {
    const payout = await claimDuePayout(ctx);
    if (!payout) break;
    const problem = (code: string) => report({ publisherId: payout.publisherId, problem: code });
    changed += (await advance(ctx, payout, { provider: providerOf(payout.provider), problem })) ? 1 : 0;
  }
  return changed;
}

async function claimDuePayout(ctx: Ctx<JobActor>): Promise<PayoutRow | undefined> {
  const id = await claimDue(ctx, payouts);
  const [payout] = id ? await ctx.db.select().from(payouts).where(eq(payouts.id, id)) : [];
  return payout;
}

type Options = { provider: PayoutProvider; problem: (code: string) => void };

async function advance(ctx: Ctx<JobActor>, payout: PayoutRow, options: Options): Promise<boolean> {
  try {
    return payout.reference === null ? await send(ctx, payout, options) : await checkStatus(ctx, payout, options);
  } catch (error) {
    if (!(error instanceof PayoutProviderError)) throw error;
    return retryLater(ctx, payout);
  }
}

async function send(ctx: Ctx<JobActor>, payout: PayoutRow, { provider, problem }: Options): Promise<boolean> {
  const amount = asCents(payout.amountCents);
  const sendResult = await provider.send(ctx, { payoutId: payout.id, amount, token: payout.token });
  if (sendResult.status === "failed") return failPayout(ctx, { ...payout, amount, reason: sendResult.reason });
  if (sendResult.status === "accepted") {
    return rescheduleIn(ctx, payout, 0, { status: "in_transit", reference: sendResult.reference, failures: 0 });
  }
  problem(sendResult.problem);
  return retryLater(ctx, payout);
}

async function checkStatus(ctx: Ctx<JobActor>, payout: PayoutRow, { provider, problem }: Options): Promise<boolean> {
  const amount = asCents(payout.amountCents);
  const providerStatus = await provider.getStatus(ctx, payout.reference ?? "");
  if (providerStatus.status === "failed") {
    const ended = { ...payout, amount, reason: providerStatus.reason };
    if (payout.status !== "paid") return failPayout(ctx, ended);
    const isReturned = await returnPayout(ctx, ended);
    if (isReturned && (await isClosed(ctx, payout.publisherId))) problem("returned_to_closed_account");
    return isReturned;
  }
  if (providerStatus.status === "paid") {
    const returnWindowMs = (provider.returnWindowDays ?? 0) * dayMs;
    const until = (payout.endedAt ?? ctx.clock()).getTime() + returnWindowMs;
    const next = ctx.clock().getTime() + dayMs;
    const dueAt = next <= until ? new Date(next) : null;
    if (payout.status !== "paid") return settlePayout(ctx, { ...payout, amount, dueAt });
    await setDue(ctx, payout, { dueAt, failures: 0 });
    return false;
  }
  if (providerStatus.problem) problem(providerStatus.problem);
  if (providerStatus.problem) return retryLater(ctx, payout);
  await rescheduleIn(ctx, payout, followEveryMs, { failures: 0 });
  return false;
}

/** An account is closed after the time in which a bank returns payouts; a later return reaches nobody. */
async function isClosed(ctx: Ctx<JobActor>, publisherId: AccountId): Promise<boolean> {
  const closed = and(eq(accounts.id, publisherId), isNotNull(accounts.closedAt));
  return (await ctx.db.$count(accounts, closed)) > 0;
}

async function retryLater(ctx: Ctx<JobActor>, payout: PayoutRow): Promise<false> {
  const wait = Math.min(maxRetryDelayMs, 60_000 * 2 ** payout.failures);
  await rescheduleIn(ctx, payout, wait, { failures: payout.failures + 1 });
  return false;
}

type PayoutUpdate = Partial<Pick<PayoutRow, "status" | "reference" | "failures">>;

/**
 * Stores the new state and when the payout is due again. Returns false when another process ended or changed the payout
 * meanwhile.
 */
async function rescheduleIn(
  ctx: Ctx<JobActor>,
  payout: PayoutRow,
  inMs: number,
  update: PayoutUpdate,
): Promise<boolean> {
  return setDue(ctx, payout, { ...update, dueAt: new Date(ctx.clock().getTime() + inMs) });
}

async function setDue(
  ctx: Ctx<JobActor>,
  payout: PayoutRow,
  update: PayoutUpdate & { dueAt: Date | null },
): Promise<boolean> {
  const rows = await ctx.db
    .update(payouts)
    .set(update)
    .where(and(eq(payouts.id, payout.id), eq(payouts.status, payout.status)))
    .returning({ id: payouts.id });
  return rows.length > 0;
}

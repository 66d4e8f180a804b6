import { and, eq } from "drizzle-orm";
import { accounts } from "#db/schema/index.ts";
import { calendarDateOf } from "../../calendar-date.ts";
import type { Ctx, OperatorActor } from "../../context.ts";
import { notFound } from "../../errors.ts";
import type { AccountId } from "../../ids.ts";
import { asCents, type Cents } from "../../money.ts";
import { inLongTransaction } from "../../transaction.server.ts";
import { startPayout } from "./start-payout.server.ts";

/**
 * Starts a payout of a publisher's whole available balance for an operator, also below the minimum: a publisher that
 * earns no more never reaches it, and its account is not closed before it is paid. Returns the amount, in cents. Throws
 * `not_found` for an account that is not a publisher, and what `startPayout` throws.
 */
export async function payOutRemainder(
  ctx: Ctx<OperatorActor>,
  { accountId: publisherId }: { accountId: AccountId },
): Promise<Cents> {
  const isPublisher = and(eq(accounts.id, publisherId), eq(accounts.type, "publisher"));
  if ((await ctx.db.$count(accounts, isPublisher)) === 0) throw notFound("Publisher");
  const day = calendarDateOf(ctx.clock());
  const { amount } = await inLongTransaction(ctx, (tx) => startPayout(tx, { publisherId, day, minimum: asCents(1) }));
  return amount;
}

import { createHash } from "node:crypto";
import { and, eq, lt } from "drizzle-orm";
import { reachQuestions } from "#db/schema/index.ts";
import { calendarDateOf } from "../../calendar-date.ts";
import type { Ctx, TenantActor } from "../../context.ts";
import { DomainError } from "../../errors.ts";
import type { AudienceId } from "../../ids.ts";
import type { PeopleRange } from "./published-size.server.ts";

/** The number of different selections an account can estimate per UTC day; repeating a selection is free. */
const choicesPerDay = 200;

/** Concurrent requests of an account compute the same number; all but one of them retry. */
const maxAttempts = 20;

/**
 * Returns the estimate that the account already got for this selection today; otherwise calls `count` and stores its
 * result for the rest of the day. Throws `rate_limited` when the account has estimated too many different selections
 * today.
 */
export async function estimateOncePerDay(
  ctx: Ctx<TenantActor>,
  ids: readonly AudienceId[],
  count: () => Promise<PeopleRange>,
): Promise<PeopleRange> {
  const day = calendarDateOf(ctx.clock());
  const choice = createHash("sha256")
    .update([...ids].sort().join())
    .digest();
  const own = and(eq(reachQuestions.accountId, ctx.actor.accountId), eq(reachQuestions.day, day));
  let counted: PeopleRange | undefined;
  for (let attempt = 1; attempt <= maxAttempts; attempt += 1) {
    const [stored] = await ctx.db
      .select({ from: reachQuestions.reachFrom, to: reachQuestions.reachTo })
      .from(reachQuestions)
      .where(and(own, eq(reachQuestions.choice, choice)));
    if (stored) return stored;
    const used = await ctx.db.$count(reachQuestions, own);
    if (used >= choicesPerDay) throw budgetExhausted(ctx.clock());
    if (used === 0) await deleteEarlierDays(ctx);
    counted ??= await count();
    const row = { accountId: ctx.actor.accountId, day, number: used + 1, choice };
    const inserted = await ctx.db
      .insert(reachQuestions)
      .values({ ...row, reachFrom: counted.from, reachTo: counted.to })
      .onConflictDoNothing()
      .returning({ number: reachQuestions.number });
    if (inserted.length > 0) return counted;
  }
  throw new DomainError("unavailable", "Too many estimates at once. Try again in a few seconds.", {
    retryAfterSeconds: 1,
  });
}

async function deleteEarlierDays(ctx: Ctx<TenantActor>): Promise<void> {
  const { accountId } = ctx.actor;
  const day = calendarDateOf(ctx.clock());
  await ctx.db.delete(reachQuestions).where(and(eq(reachQuestions.accountId, accountId), lt(reachQuestions.day, day)));
}

function budgetExhausted(now: Date): DomainError {
  const midnight = new Date(now).setUTCHours(24, 0, 0, 0);
  return new DomainError(
    "rate_limited",
    `You have estimated the reach of ${choicesPerDay} different selections today. You can estimate those again; new ones are possible tomorrow (UTC).`,
    { retryAfterSeconds: Math.ceil((midnight - now.getTime()) / 1_000) },
  );
}

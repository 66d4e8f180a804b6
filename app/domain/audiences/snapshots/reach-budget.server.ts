import { createHash } from "node:crypto";
import { and, eq, lt } from "drizzle-orm";
import { reachQuestions } from "#db/schema/index.ts";
import { calendarDateOf } from "../../calendar-date.ts";
import type { Ctx, TenantActor } from "../../context.ts";
import { DomainError } from "../../errors.ts";
import type { AudienceId } from "../../ids.ts";
import type { PeopleRange } from "./published-size.server.ts";

/** Different choices whose reach an account is told on a UTC day; one that was told before costs nothing. */
const choicesPerDay = 200;

/** Concurrent requests of one account draw the same number; all but one of them try again. */
const attempts = 20;

/**
 * What an account was told of a choice today, else what `count` says, which it will be told again for the rest of the day. Throws
 * `rate_limited` when the account asked for too many different choices today.
 */
export async function answerOncePerDay(
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
  for (let attempt = 1; attempt <= attempts; attempt += 1) {
    const [told] = await ctx.db
      .select({ from: reachQuestions.reachFrom, to: reachQuestions.reachTo })
      .from(reachQuestions)
      .where(and(own, eq(reachQuestions.choice, choice)));
    if (told) return told;
    const asked = await ctx.db.$count(reachQuestions, own);
    if (asked >= choicesPerDay) throw usedUp(ctx.clock());
    if (asked === 0) await forgetDaysBefore(ctx);
    counted ??= await count();
    const row = { accountId: ctx.actor.accountId, day, number: asked + 1, choice };
    const stored = await ctx.db
      .insert(reachQuestions)
      .values({ ...row, reachFrom: counted.from, reachTo: counted.to })
      .onConflictDoNothing()
      .returning({ number: reachQuestions.number });
    if (stored.length > 0) return counted;
  }
  throw new DomainError("unavailable", "Too many questions at once. Try again", { retryAfterSeconds: 1 });
}

async function forgetDaysBefore(ctx: Ctx<TenantActor>): Promise<void> {
  const { accountId } = ctx.actor;
  const day = calendarDateOf(ctx.clock());
  await ctx.db.delete(reachQuestions).where(and(eq(reachQuestions.accountId, accountId), lt(reachQuestions.day, day)));
}

function usedUp(now: Date): DomainError {
  const midnight = new Date(now).setUTCHours(24, 0, 0, 0);
  return new DomainError(
    "rate_limited",
    `You have estimated the reach of ${choicesPerDay} different choices today. Choices you estimated before still answer; new ones do again tomorrow (UTC).`,
    { retryAfterSeconds: Math.ceil((midnight - now.getTime()) / 1_000) },
  );
}

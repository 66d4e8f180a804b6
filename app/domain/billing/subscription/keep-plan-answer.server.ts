import { and, eq, sql } from "drizzle-orm";
import { planChanges } from "#db/schema/index.ts";
import type { Ctx, PublisherActor } from "../../context.ts";
import type { PlanChangeId } from "../../ids.ts";

/**
 * Keeps the first answer that a program got about a change of its plan, and gives it: a repetition gets it for ever, also when
 * the plan is another by then.
 */
export async function keepPlanAnswer(
  ctx: Ctx<PublisherActor>,
  { id, answer }: { id: PlanChangeId; answer: string },
): Promise<string> {
  const [row] = await ctx.db
    .update(planChanges)
    .set({ answer: sql`coalesce(${planChanges.answer}, ${answer})` })
    .where(and(eq(planChanges.id, id), eq(planChanges.accountId, ctx.actor.accountId)))
    .returning({ answer: planChanges.answer });
  return row?.answer ?? answer;
}

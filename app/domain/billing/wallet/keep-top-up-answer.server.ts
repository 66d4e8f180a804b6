import { and, eq, sql } from "drizzle-orm";
import { topUps } from "#db/schema/index.ts";
import type { AdvertiserActor, Ctx } from "../../context.ts";
import type { TopUpId } from "../../ids.ts";

/**
 * Keeps the first answer that a program got about a top-up, and gives it: a repetition gets it for ever, also when the wallet
 * is another by then.
 */
export async function keepTopUpAnswer(
  ctx: Ctx<AdvertiserActor>,
  { id, answer }: { id: TopUpId; answer: string },
): Promise<string> {
  const [row] = await ctx.db
    .update(topUps)
    .set({ answer: sql`coalesce(${topUps.answer}, ${answer})` })
    .where(and(eq(topUps.id, id), eq(topUps.accountId, ctx.actor.accountId)))
    .returning({ answer: topUps.answer });
  return row?.answer ?? answer;
}

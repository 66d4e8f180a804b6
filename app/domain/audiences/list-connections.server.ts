import { eq } from "drizzle-orm";
import { audienceConnections } from "#db/schema/index.ts";
import type { Ctx, PublisherActor } from "../context.ts";

/** The programs that the publisher has connected, with what came of the last request to each. Never a credential. */
export async function listConnections(ctx: Ctx<PublisherActor>) {
  return ctx.db
    .select({
      program: audienceConnections.program,
      problem: audienceConnections.problem,
      checkedAt: audienceConnections.checkedAt,
      createdAt: audienceConnections.createdAt,
    })
    .from(audienceConnections)
    .where(eq(audienceConnections.publisherId, ctx.actor.accountId))
    .orderBy(audienceConnections.program);
}

export type Connection = Awaited<ReturnType<typeof listConnections>>[number];

import { eq } from "drizzle-orm";
import type { Ctx, PublisherActor } from "#app/domain/context.ts";
import { audienceConnections } from "#db/schema/index.ts";

/**
 * Lists the publisher's connected integrations, each with the outcome of its last request. Never returns a credential.
 */
export async function listConnections(ctx: Ctx<PublisherActor>) {
  return ctx.db
    .select({
      integration: audienceConnections.integration,
      problem: audienceConnections.problem,
      checkedAt: audienceConnections.checkedAt,
      createdAt: audienceConnections.createdAt,
    })
    .from(audienceConnections)
    .where(eq(audienceConnections.publisherId, ctx.actor.accountId))
    .orderBy(audienceConnections.integration);
}

export type Connection = Awaited<ReturnType<typeof listConnections>>[number];

import { and, eq } from "drizzle-orm";
import { audiences } from "#db/schema/index.ts";
import type { Ctx, PublisherActor } from "../context.ts";

/** Counts the publisher's audiences that campaigns can use. */
export async function countReadyAudiences(ctx: Ctx<PublisherActor>): Promise<number> {
  return ctx.db.$count(audiences, and(eq(audiences.publisherId, ctx.actor.accountId), eq(audiences.status, "ready")));
}

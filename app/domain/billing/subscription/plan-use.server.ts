import { and, eq, inArray } from "drizzle-orm";
import { lineItems } from "#db/schema/index.ts";
import type { Ctx } from "../../context.ts";
import type { AccountId } from "../../ids.ts";

/** How many campaigns take a place of the publisher's plan: approved or managed, and not completed. */
export async function countPlanUse(ctx: Pick<Ctx, "db">, publisherId: AccountId): Promise<number> {
  const running = and(eq(lineItems.publisherId, publisherId), inArray(lineItems.status, ["active", "paused"]));
  return ctx.db.$count(lineItems, running);
}

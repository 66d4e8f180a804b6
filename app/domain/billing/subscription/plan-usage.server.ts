import { and, eq, inArray } from "drizzle-orm";
import type { Ctx } from "#app/domain/context.ts";
import type { AccountId } from "#app/domain/ids.ts";
import { lineItems } from "#db/schema/index.ts";

/** Counts the campaigns that count toward the publisher's plan limit: approved or managed, and not completed. */
export async function countPlanUsage(ctx: Pick<Ctx, "db">, publisherId: AccountId): Promise<number> {
  const isRunning = and(eq(lineItems.publisherId, publisherId), inArray(lineItems.status, ["active", "paused"]));
  return ctx.db.$count(lineItems, isRunning);
}

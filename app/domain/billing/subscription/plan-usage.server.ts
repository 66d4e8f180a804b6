import { and, eq, inArray, sql } from "drizzle-orm";
import { z } from "zod";
import type { Ctx } from "#app/domain/context.ts";
import type { AccountId } from "#app/domain/ids.ts";
import { sqlValue } from "#db/query-rows.server.ts";
import { lineItemCounts } from "#db/schema/index.ts";

/**
 * Counts the campaigns that count toward the publisher's plan limit: approved or managed, and not completed. A trigger
 * counts them, in the transaction that changes them.
 */
export async function countPlanUsage(ctx: Pick<Ctx, "db">, publisherId: AccountId): Promise<number> {
  const [row] = await ctx.db
    .select({ campaigns: sqlValue(z.coerce.number(), sql`coalesce(sum(${lineItemCounts.lineItems}), 0)`) })
    .from(lineItemCounts)
    .where(and(eq(lineItemCounts.publisherId, publisherId), inArray(lineItemCounts.status, ["active", "paused"])));
  return row?.campaigns ?? 0;
}

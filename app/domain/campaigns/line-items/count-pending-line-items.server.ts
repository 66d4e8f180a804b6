import { and, eq, sql } from "drizzle-orm";
import { z } from "zod";
import type { Ctx, PublisherActor } from "#app/domain/context.ts";
import { preparedQuery } from "#app/domain/prepared-query.server.ts";
import { sqlValue } from "#db/query-rows.server.ts";
import { lineItemCounts } from "#db/schema/index.ts";

/**
 * Returns the number of the publisher's line items that await a decision, without archived ones: `approval.pending` of
 * `countLineItems`.
 */
export async function countPendingLineItems(ctx: Ctx<PublisherActor>): Promise<number> {
  const [row] = await pendingFor(ctx.db).execute({ publisherId: ctx.actor.accountId });
  return row?.pending ?? 0;
}

/** Every page of a publisher runs this query. */
const pendingFor = preparedQuery((db) =>
  db
    .select({ pending: sqlValue(z.coerce.number(), sql`coalesce(sum(${lineItemCounts.lineItems}), 0)::text`) })
    .from(lineItemCounts)
    .where(
      and(
        eq(lineItemCounts.publisherId, sql.placeholder("publisherId")),
        eq(lineItemCounts.approvalStatus, "pending"),
        eq(lineItemCounts.archived, false),
      ),
    )
    .prepare("count_pending_line_items"),
);

import { sql } from "drizzle-orm";
import { z } from "zod";
import { withDeadline } from "#db/client.server.ts";
import { columnValue, queryRows } from "#db/query-rows.server.ts";
import { lineItemCategories } from "#db/schema/index.ts";
import type { Ctx, JobActor } from "../context.ts";
import { inTransaction } from "../transaction.server.ts";
import { ingestTimeoutMs } from "./ingest-delivery-report.server.ts";
import { lockRollUps } from "./lock-roll-ups.server.ts";

/** The most line items that one run of the job moves. */
const maxMoves = 100;

const dueRow = z.object({
  lineItemId: columnValue(lineItemCategories.lineItemId),
  advertiserId: columnValue(lineItemCategories.advertiserId),
  publisherId: columnValue(lineItemCategories.publisherId),
});
const movedRow = z.object({ lineItemId: columnValue(lineItemCategories.lineItemId) });
const isDue = sql`known.category is distinct from known.summed_category and known.summed_category is not null`;

/**
 * Moves the facts of line items whose version has another category to that category in the accounts' roll-ups, each line
 * item in a transaction. Until then, analytics subtracts and adds them. Returns how many were moved.
 */
export async function moveCategorySums(ctx: Ctx<JobActor>): Promise<number> {
  const due = await queryRows(
    ctx.db,
    dueRow,
    sql`
      select line_item_id as "lineItemId", advertiser_id as "advertiserId", publisher_id as "publisherId" from line_item_categories known
      where ${isDue} limit ${maxMoves}`,
  );
  let moved = 0;
  for (const { lineItemId, advertiserId, publisherId } of due) {
    if (ctx.stopping?.aborted) break;
    moved += await inTransaction(withDeadline(ctx, ingestTimeoutMs), async (tx) => {
      await tx.db.execute(
        sql`select set_config('lock_timeout', '60s', true), set_config('statement_timeout', '100s', true)`,
      );
      await lockRollUps(tx, { accountIds: [advertiserId, publisherId], isExclusive: true });
      // An approval in progress is not waited for: it may wait for a report, which waits for these locks.
      const [found] = await queryRows(
        tx.db,
        movedRow,
        sql`select line_item_id as "lineItemId" from line_item_categories known where line_item_id = ${lineItemId} and ${isDue} for update skip locked`,
      );
      if (!found) return 0;
      await tx.db.execute(sql`select move_category_days(${lineItemId})`);
      return 1;
    });
  }
  return moved;
}

import { sql } from "drizzle-orm";
import { z } from "zod";
import { withDeadline } from "#db/client.server.ts";
import { columnValue, queryRows } from "#db/query-rows.server.ts";
import { lineItemCategories } from "#db/schema/index.ts";
import type { Ctx, JobActor } from "../context.ts";
import { forEachItem } from "../for-each-item.ts";
import { nilId } from "../ids.ts";
import { readInParts } from "../read-in-parts.ts";
import { inTransaction } from "../transaction.server.ts";
import { ingestTimeoutMs } from "./ingest-delivery-report.server.ts";
import { lockRollUps } from "./lock-roll-ups.server.ts";

/** The most line items that one run of the job moves, and that are listed at a time. */
const maxMoves = 100;

const dueRow = z.object({
  lineItemId: columnValue(lineItemCategories.lineItemId),
  advertiserId: columnValue(lineItemCategories.advertiserId),
  publisherId: columnValue(lineItemCategories.publisherId),
});
type DueRow = z.output<typeof dueRow>;
const movedRow = z.object({ lineItemId: columnValue(lineItemCategories.lineItemId) });
const isDue = sql`known.category is distinct from known.summed_category and known.summed_category is not null`;

/**
 * Moves the facts of line items whose version has another category to that category in the accounts' roll-ups, each
 * line item in a transaction. Until then, analytics subtracts and adds them. One that fails does not hold up the
 * others; the errors are thrown together at the end. Returns how many were moved.
 */
export async function moveCategorySums(ctx: Ctx<JobActor>): Promise<number> {
  const due = readInParts<DueRow>((after) => listDue(ctx, after));
  return forEachItem(ctx, due, {
    kind: "line items",
    nameOf: ({ lineItemId }) => lineItemId,
    work: (row) => moveSums(ctx, row),
    max: maxMoves,
  });
}

function listDue(ctx: Ctx<JobActor>, after: DueRow | undefined): Promise<DueRow[]> {
  return queryRows(
    ctx.db,
    dueRow,
    sql`
      select line_item_id as "lineItemId", advertiser_id as "advertiserId", publisher_id as "publisherId" from line_item_categories known
      where ${isDue} and line_item_id > ${after?.lineItemId ?? nilId}::uuid order by line_item_id limit ${maxMoves}`,
  );
}

/** Returns whether the line item was moved; one whose approval is in progress is left to the next run. */
async function moveSums(ctx: Ctx<JobActor>, { lineItemId, advertiserId, publisherId }: DueRow): Promise<boolean> {
  return inTransaction(withDeadline(ctx, ingestTimeoutMs), async (tx) => {
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
    if (!found) return false;
    await tx.db.execute(sql`select move_category_days(${lineItemId})`);
    return true;
  });
}

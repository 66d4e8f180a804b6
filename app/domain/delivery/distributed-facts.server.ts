import { setTimeout as sleep } from "node:timers/promises";
import { type SQL, sql } from "drizzle-orm";
import { z } from "zod";
import { distributedQuery, distributedRow } from "#db/distribution/inbox-tables.ts";
import { columnValue, pgArray, queryRows } from "#db/query-rows.server.ts";
import { deliveries } from "#db/schema/index.ts";
import type { Ctx } from "../context.ts";
import { DomainError } from "../errors.ts";
import type { DeliveryReportId } from "../ids.ts";
import { invariant } from "../invariant.ts";
import { boundsOf, type FactChange, keyOf, listFacts, type StoredFact } from "./delivery-facts.server.ts";

/**
 * The tables that facts are written to besides: their triggers sum what changes
 * (db/distribution/distribution-statements.server.ts).
 */
export type FactTable = "deliveries" | "delivery_additions" | "delivery_restatements";

/**
 * Returns whether facts are distributed over several machines (docs/decisions/0107). Holds until the end of the
 * transaction if it has read facts before, because their table is locked while they are distributed.
 */
async function areFactsDistributed(ctx: Ctx): Promise<boolean> {
  const [row] = await queryRows(ctx.db, distributedRow, sql.raw(distributedQuery));
  return row?.distributed === true;
}

const keptRow = z.object({
  lineItemId: columnValue(deliveries.lineItemId),
  day: columnValue(deliveries.day),
  audienceId: columnValue(deliveries.audienceId),
  channel: columnValue(deliveries.channel),
  source: columnValue(deliveries.source),
  reportId: columnValue(deliveries.reportId),
});

/**
 * Reads the existing facts that are about to change, and whether facts are distributed. A worker commits after the
 * coordinator, and when it was lost in between, up to a minute later: until then it has the facts of before, by which a
 * report would be taken for unchanged. Throws `unavailable` when a worker has not committed for two seconds.
 */
export async function listCommittedFacts(
  ctx: Ctx,
  changes: readonly FactChange[],
): Promise<{ facts: Map<string, StoredFact>; areDistributed: boolean }> {
  for (let attempt = 1; ; attempt += 1) {
    const facts = await listFacts(ctx, changes);
    const areDistributed = await areFactsDistributed(ctx);
    if (!areDistributed || (await areCommitted(ctx, { changes, facts }))) return { facts, areDistributed };
    if (attempt === maxReads) throw new DomainError("unavailable", notCommitted, { retryAfterSeconds: 60 });
    await sleep(rereadMs);
  }
}

const [maxReads, rereadMs] = [20, 100];
const notCommitted = "A part of the database has not stored the report before this one yet. Send it again in a minute.";

/** Whether the facts are those that the coordinator knows of, by their reports. */
async function areCommitted(
  ctx: Ctx,
  { changes, facts }: { changes: readonly FactChange[]; facts: ReadonlyMap<string, StoredFact> },
): Promise<boolean> {
  const days = [...new Map(changes.map((change) => [`${change.lineItemId} ${change.row.day}`, change])).values()];
  const { from, to } = boundsOf(changes);
  const kept = await queryRows(
    ctx.db,
    keptRow,
    sql`
      select kept.line_item_id as "lineItemId", kept.day::text as day, kept.audience_id as "audienceId", kept.channel, kept.source, kept.report_id as "reportId"
      from unnest(${pgArray(days.map(({ lineItemId }) => lineItemId))}::uuid[], ${pgArray(days.map(({ row }) => row.day))}::date[]) as place (line_item_id, day)
      join line_item_audience_days kept using (line_item_id, day) where kept.day between ${from}::date and ${to}::date`,
  );
  return kept.length === facts.size && kept.every((row) => facts.get(keyOf(row))?.reportId === row.reportId);
}

const columnNames =
  "line_item_id, publisher_id, day, audience_id, channel, source, revision, impressions, clicks, conversions, spend_micros, revenue_micros, reported_micros, reach, creatives, report_id";
const columns = sql.raw(columnNames);
const columnsOfFacts = sql.raw(columnNames.replace(/\w+/g, "deliveries.$&"));

/** Sums new facts, which `write` inserts into a table of theirs. */
export async function sumAdditions(ctx: Ctx, write: (table: FactTable) => Promise<unknown>): Promise<void> {
  await write("delivery_additions");
  await ctx.db.execute(sql`delete from delivery_additions`);
}

/**
 * Restates facts and sums the difference: `write` updates them in a table of theirs. `restated` is the condition for
 * the facts of `fact`, with a join of `given` where it needs one.
 */
export async function sumRestatements(
  ctx: Ctx,
  input: { given: SQL; restated: SQL; count: number; reportId: DeliveryReportId },
  write: (table: FactTable) => Promise<unknown>,
): Promise<void> {
  const { given, restated, count, reportId } = input;
  const copied = await ctx.db.execute(sql`
    insert into delivery_restatements (${columns})
    select ${columnsOfFacts}
    from ${given} join deliveries on ${restated}`);
  invariant(copied.count === count, "restated facts vanished", { copied: copied.count, count });
  await ctx.db.execute(sql`
    insert into delivery_revisions (${columns}, replaced_by) select ${columns}, ${reportId}::uuid from delivery_restatements`);
  await write("deliveries");
  await write("delivery_restatements");
  await ctx.db.execute(sql`delete from delivery_restatements`);
}

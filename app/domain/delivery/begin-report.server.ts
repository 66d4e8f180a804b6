import { sql } from "drizzle-orm";
import { z } from "zod";
import { distributedQuery, distributedRow } from "#db/distribution/inbox-tables.ts";
import { ownWorkerConnections, workerConnectMs } from "#db/distribution/worker-connections.ts";
import { columnValue, pgArray, queryRows } from "#db/query-rows.server.ts";
import { lineItems } from "#db/schema/index.ts";
import type { Ctx } from "../context.ts";
import { DomainError } from "../errors.ts";
import type { CampaignId } from "../ids.ts";

/** How long reports are rejected at once when one has waited for a worker in vain, in milliseconds. */
const awayMs = 5_000;
/** A worker that is lost rejects a connection sooner; then no report waits, and none needs to be held back. */
const slowMs = workerConnectMs / 2;

/** Since a worker did not respond: when a report may try again, and whether one does. */
let away: { until: number; isTried: boolean } | undefined;

const itemRow = z.object({ id: columnValue(lineItems.id) });

/**
 * Sets the timeouts of a report's transaction and, where facts are distributed (docs/decisions/0107), connects to the
 * workers that have those of the campaigns, before the transaction locks anything. A worker that hangs is noticed there
 * alone: the connections are of this transaction, because Citus would wait without end for one that it has kept. Throws
 * `unavailable` at once for some seconds after a report waited in vain, so that reports leave connections for pages.
 */
export async function beginReport(ctx: Ctx, campaignIds: Iterable<CampaignId>): Promise<void> {
  // Interactive requests wait briefly for locks; a report may wait longer.
  const [settings] = await queryRows(
    ctx.db,
    distributedRow,
    sql`select set_config('lock_timeout', '60s', true), set_config('statement_timeout', '60s', true), distributed from (${sql.raw(distributedQuery)}) facts`,
  );
  if (settings?.distributed !== true) return;
  const begun = performance.now();
  if (away && (away.isTried || begun < away.until))
    throw new DomainError("unavailable", noResponse, { retryAfterSeconds });
  if (away) away.isTried = true;
  try {
    await reachWorkers(ctx, pgArray(campaignIds));
    away = undefined;
  } catch (error) {
    const now = performance.now();
    away = now - begun < slowMs ? undefined : { until: now + awayMs, isTried: false };
    throw error;
  }
}

const retryAfterSeconds = awayMs / 1_000;
const noResponse = "A part of the database does not respond. Send the report again in some seconds.";

async function reachWorkers(ctx: Ctx, campaignIds: string): Promise<void> {
  const items = await queryRows(
    ctx.db,
    itemRow,
    sql`select id, ${sql.raw(ownWorkerConnections)} from line_items where campaign_id = any(${campaignIds}::uuid[])`,
  );
  // No fact has this day: the workers look for it in one partition.
  await ctx.db.execute(sql`
    select 1 from deliveries where line_item_id = any(${pgArray(items.map(({ id }) => id))}::uuid[]) and day = 'infinity'`);
}

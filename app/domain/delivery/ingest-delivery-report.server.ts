import { setImmediate as nextTurn } from "node:timers/promises";
import { PgTransaction } from "drizzle-orm/pg-core";
import { withDeadline } from "#db/client.server.ts";
import { type CalendarDate, calendarDateOf } from "../calendar-date.ts";
import type { Ctx, JobActor, OperatorActor } from "../context.ts";
import type { CampaignId } from "../ids.ts";
import { inTransaction } from "../transaction.server.ts";
import type { DeliveryRow, RowRejection } from "./delivery-row.ts";
import { type IndexedRow, ingestRows } from "./ingest-rows.server.ts";
import { keysOfRequest, type RowKeys } from "./row-keys.server.ts";

/** The number of rows in one transaction, unless one campaign has more; it limits how long a campaign is locked. */
const defaultBatchRows = 10_000;
/** The deadline of one batch, in milliseconds: longer than that of interactive requests. */
export const ingestTimeoutMs = 120_000;

export type IngestResult = {
  /** Accepted rows: new, restated or unchanged. */
  accepted: number;
  added: number;
  restated: number;
  rejected: { index: number; code: RowRejection }[];
};

type ReportCtx = Ctx<OperatorActor | JobActor>;

/**
 * Ingests delivery rows one by one: each is accepted, or rejected with a code. An unchanged row changes nothing; other
 * figures for the same key restate the fact and keep its history. Spend is allocated to the budgets as far as they
 * cover it, with the campaigns locked; the rest is over-delivery. A campaign that exhausts its budget is completed.
 * `singleTransaction` ingests all rows in one transaction. `batchRows` is the batch size; a batch always has all rows
 * of its campaigns. A report that comes in parts has the keys of its earlier rows in `keys`, to which those of these
 * rows are added.
 */
export async function ingestDeliveryReport(
  ctx: ReportCtx,
  input: {
    rows: readonly (DeliveryRow | RowRejection)[];
    singleTransaction?: boolean;
    batchRows?: number;
    keys?: RowKeys;
  },
): Promise<IngestResult> {
  const report: IngestResult = { accepted: 0, added: 0, restated: 0, rejected: [] };
  // Fifty thousand rows block the event loop for long: other requests run between parsing and validating them.
  await nextTurn();
  const { keys = keysOfRequest() } = input;
  const rows = acceptRows(input.rows, { report, today: calendarDateOf(ctx.clock()), keys });
  await nextTurn();
  const batches = input.singleTransaction ? [rows].values() : toBatches(rows, input.batchRows ?? defaultBatchRows);
  // While the database processes one batch, the next is prepared; no two batches share a campaign. Within a transaction
  // there is one at a time.
  const concurrency = ctx.db instanceof PgTransaction ? 1 : 2;
  const done = await Promise.allSettled(
    Array.from({ length: concurrency }, () => ingestBatches(ctx, { batches, report })),
  );
  const failure = done.find((one) => one.status === "rejected");
  if (failure) throw failure.reason;
  report.rejected.sort((one, other) => one.index - other.index);
  return report;
}

/** Ingests batch after batch, each in its own transaction. After a failure no further batch starts. */
async function ingestBatches(
  ctx: ReportCtx,
  { batches, report }: { batches: Iterator<IndexedRow[]>; report: IngestResult },
): Promise<void> {
  try {
    for (let next = batches.next(); !next.done; next = batches.next()) {
      const batch = next.value;
      const done = await inTransaction(withDeadline(ctx, ingestTimeoutMs), (tx) => ingestRows(tx, batch));
      report.accepted += batch.length - done.rejected.length;
      report.added += done.added;
      report.restated += done.restated;
      report.rejected.push(...done.rejected);
    }
  } catch (error) {
    batches.return?.();
    throw error;
  }
}

/**
 * Splits the rows into batches, each with all rows of its campaigns, in order. Each campaign is then locked once and
 * its totals are written once.
 */
function* toBatches(rows: readonly IndexedRow[], size: number): Generator<IndexedRow[]> {
  const rowsByCampaign = new Map<CampaignId, IndexedRow[]>();
  for (const indexed of rows) {
    const known = rowsByCampaign.get(indexed.row.campaignId);
    if (known) known.push(indexed);
    else rowsByCampaign.set(indexed.row.campaignId, [indexed]);
  }
  let batch: IndexedRow[] = [];
  // Campaigns with adjacent IDs were created one after the other.
  for (const id of [...rowsByCampaign.keys()].sort()) {
    const own = rowsByCampaign.get(id) ?? [];
    if (batch.length > 0 && batch.length + own.length > size) {
      yield batch;
      batch = [];
    }
    for (const indexed of own) batch.push(indexed);
  }
  if (batch.length > 0) yield batch;
}

/** Returns the rows that are valid, not in the future, and the first of their key; rejects the others. */
function acceptRows(
  rows: readonly (DeliveryRow | RowRejection)[],
  { report, today, keys }: { report: IngestResult; today: CalendarDate; keys: RowKeys },
): IndexedRow[] {
  const rejectionOf = (row: DeliveryRow): RowRejection | undefined => {
    if (row.day > today) return "future_day";
    return keys.add(rowKey(row)) ? undefined : "duplicate_row";
  };
  return rows.flatMap((row, index) => {
    const code = typeof row === "string" ? row : rejectionOf(row);
    if (typeof row !== "string" && code === undefined) return [{ index, row }];
    report.rejected.push({ index, code: code ?? "invalid_row" });
    return [];
  });
}

function rowKey({ campaignId, day, audienceId, channel, source }: DeliveryRow): string {
  return `${campaignId} ${day} ${audienceId} ${channel} ${source}`;
}

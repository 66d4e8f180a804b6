import { setImmediate as nextTurn } from "node:timers/promises";
import { PgTransaction } from "drizzle-orm/pg-core";
import { withDeadline } from "#db/client.server.ts";
import { type CalendarDate, calendarDateOf } from "../calendar-date.ts";
import type { Ctx, JobActor, OperatorActor } from "../context.ts";
import type { CampaignId } from "../ids.ts";
import { inTransaction } from "../transaction.server.ts";
import type { DeliveryRow, RowRefusal } from "./delivery-row.ts";
import { type PlacedRow, takeRows } from "./take-rows.server.ts";

/** Rows taken in one transaction, or those of one campaign: they bound how long a campaign's lock is held. */
const usualPart = 10_000;
/** A report may wait longer for the database than a person. */
export const reportDeadlineMs = 120_000;

export type DeliveryReport = {
  /** Rows that stand, whether they were new, replaced what was there, or said the same. */
  accepted: number;
  added: number;
  restated: number;
  rejected: { index: number; code: RowRefusal }[];
};

type ReportCtx = Ctx<OperatorActor | JobActor>;

/**
 * Takes what was delivered, row by row: each stands or is refused with its reason. The same row again changes nothing; another
 * figure for the same key replaces it and keeps what was there. Spend is taken from the budgets as far as they hold, under the
 * campaigns' locks; the rest stays as over-delivery. A campaign whose budget is used up is completed.
 * `atOnce`: all in one transaction. A part has `partRows` rows, or those of one campaign.
 */
export async function reportDelivery(
  ctx: ReportCtx,
  input: { rows: readonly (DeliveryRow | RowRefusal)[]; atOnce?: boolean; partRows?: number },
): Promise<DeliveryReport> {
  const report: DeliveryReport = { accepted: 0, added: 0, restated: 0, rejected: [] };
  // Fifty thousand rows keep the only thread for long: between reading them and looking at them others have their turn.
  await nextTurn();
  const rows = readable(input.rows, { report, today: calendarDateOf(ctx.clock()) });
  await nextTurn();
  const parts = input.atOnce ? [rows].values() : partsOf(rows, input.partRows ?? usualPart);
  // While the database works on one part, the next is prepared; no two have a campaign in common. A transaction has one of them at a time.
  const hands = ctx.db instanceof PgTransaction ? 1 : 2;
  const done = await Promise.allSettled(Array.from({ length: hands }, () => takeParts(ctx, { parts, report })));
  const failure = done.find((one) => one.status === "rejected");
  if (failure) throw failure.reason;
  report.rejected.sort((one, other) => one.index - other.index);
  return report;
}

/** Takes part after part, each in a transaction of its own, until none is left. After a failure none is begun. */
async function takeParts(
  ctx: ReportCtx,
  { parts, report }: { parts: Iterator<PlacedRow[]>; report: DeliveryReport },
): Promise<void> {
  try {
    for (let next = parts.next(); !next.done; next = parts.next()) {
      const part = next.value;
      const done = await withDeadline(reportDeadlineMs, () => inTransaction(ctx, (tx) => takeRows(tx, part)));
      report.accepted += part.length - done.rejected.length;
      report.added += done.added;
      report.restated += done.restated;
      report.rejected.push(...done.rejected);
    }
  } catch (error) {
    parts.return?.();
    throw error;
  }
}

/**
 * The rows in pieces, each with all rows of its campaigns, in their order: so a campaign is locked once and its sums are
 * written once, however its days and channels stand in the report.
 */
function* partsOf(rows: readonly PlacedRow[], size: number): Generator<PlacedRow[]> {
  const ofCampaigns = new Map<CampaignId, PlacedRow[]>();
  for (const placed of rows) {
    const known = ofCampaigns.get(placed.row.campaignId);
    if (known) known.push(placed);
    else ofCampaigns.set(placed.row.campaignId, [placed]);
  }
  let part: PlacedRow[] = [];
  // Campaigns made one after the other lie beside each other.
  for (const id of [...ofCampaigns.keys()].sort()) {
    const own = ofCampaigns.get(id) ?? [];
    if (part.length > 0 && part.length + own.length > size) {
      yield part;
      part = [];
    }
    for (const placed of own) part.push(placed);
  }
  if (part.length > 0) yield part;
}

/** Those that can be read, are of today or before, and are the first of their key. The others are refused. */
function readable(
  rows: readonly (DeliveryRow | RowRefusal)[],
  { report, today }: { report: DeliveryReport; today: CalendarDate },
): PlacedRow[] {
  const seen = new Set<string>();
  return rows.flatMap((row, index) => {
    const refusal = typeof row === "string" ? row : row.day > today ? "future_day" : undefined;
    const key = typeof row === "string" ? "" : rowKey(row);
    const code = refusal ?? (seen.has(key) ? "duplicate_row" : undefined);
    if (typeof row === "string" || code) {
      report.rejected.push({ index, code: code ?? "invalid_row" });
      return [];
    }
    seen.add(key);
    return [{ index, row }];
  });
}

function rowKey({ campaignId, day, audienceId, channel, source }: DeliveryRow): string {
  return `${campaignId} ${day} ${audienceId} ${channel} ${source}`;
}

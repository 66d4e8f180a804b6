import { sql } from "drizzle-orm";
import { withDeadline } from "#db/client.server.ts";
import { type CalendarDate, calendarDateOf } from "../calendar-date.ts";
import { completeUsedUp } from "../campaigns/complete-campaigns.server.ts";
import type { Ctx, JobActor, OperatorActor } from "../context.ts";
import type { CampaignId } from "../ids.ts";
import { inTransaction } from "../transaction.server.ts";
import { type FactChange, factKey, listFacts, type StoredFact, spentSoFar } from "./delivery-facts.server.ts";
import type { DeliveryRow, RowRefusal } from "./delivery-row.ts";
import { type LockedCampaign, lockCampaigns } from "./lock-campaigns.server.ts";
import { type RunningDay, runningDay } from "./running-day.ts";
import { takeSpend } from "./take-spend.ts";
import { writeFacts } from "./write-facts.server.ts";

/** Rows taken in one transaction: they bound how long a campaign's lock is held. */
const slice = 10_000;
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
type PlacedRow = { index: number; row: DeliveryRow };

/**
 * Takes what was delivered, row by row: each stands or is refused with its reason. The same row again changes nothing; another
 * figure for the same key replaces it and keeps what was there. Spend is taken from the budgets as far as they hold, under the
 * campaigns' locks; the rest stays as over-delivery. A campaign whose budget is used up is completed.
 * `atOnce`: all in one transaction.
 */
export async function reportDelivery(
  ctx: ReportCtx,
  input: { rows: readonly (DeliveryRow | RowRefusal)[]; atOnce?: boolean },
): Promise<DeliveryReport> {
  const report: DeliveryReport = { accepted: 0, added: 0, restated: 0, rejected: [] };
  const rows = readable(input.rows, { report, today: calendarDateOf(ctx.clock()) });
  const size = input.atOnce ? rows.length : slice;
  for (let from = 0; from < rows.length; from += size) {
    const part = rows.slice(from, from + size);
    const done = await withDeadline(reportDeadlineMs, () => inTransaction(ctx, (tx) => takeRows(tx, part)));
    report.accepted += part.length - done.rejected.length;
    report.added += done.added;
    report.restated += done.restated;
    report.rejected.push(...done.rejected);
  }
  report.rejected.sort((one, other) => one.index - other.index);
  return report;
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

async function takeRows(ctx: ReportCtx, rows: readonly PlacedRow[]): Promise<Omit<DeliveryReport, "accepted">> {
  // Others wait for these locks a person's time; a report has more.
  await ctx.db.execute(
    sql`select set_config('lock_timeout', '60s', true), set_config('statement_timeout', '60s', true)`,
  );
  const campaigns = await lockCampaigns(
    ctx,
    rows.map(({ row }) => row.campaignId),
  );
  const { taken, rejected } = judge(rows, campaigns);
  const facts = await listFacts(
    ctx,
    taken.map(({ change }) => change),
  );
  const changed = taken.filter(({ change }) => !isSame(change, facts.get(factKey(change))));
  if (changed.length === 0) return { added: 0, restated: 0, rejected };
  const spent = await spentSoFar(ctx, { campaigns, days: changed.map(({ change }) => change) });
  const claims = changed.map(({ change, day }) => ({
    campaignId: change.campaignId,
    day: change.day,
    reportedMicros: change.reportedMicros,
    takenMicros: facts.get(factKey(change))?.spendMicros ?? 0,
    dailyMicros: day.dailyMicros,
    totalMicros: day.totalMicros,
  }));
  const amounts = takeSpend(claims, spent);
  const changes = changed.map(({ change }, index) => ({
    ...change,
    spendMicros: amounts[index] ?? 0,
    revision: (facts.get(factKey(change))?.revision ?? 0) + 1,
  }));
  const restated = changes.filter((change) => change.revision > 1).length;
  await writeFacts(ctx, { changes, campaigns, rows: rows.length, refused: rejected.length });
  await completeUsedUp(
    ctx,
    [...campaigns.values()].map((campaign) => ({ ...campaign, spentMicros: spent.all.get(campaign.id) ?? 0 })),
  );
  return { added: changes.length - restated, restated, rejected };
}

type TakenRow = { change: FactChange; day: RunningDay };

/** Which rows a line item could have delivered on its day. */
function judge(rows: readonly PlacedRow[], campaigns: ReadonlyMap<CampaignId, LockedCampaign>) {
  const days = new Map<string, RunningDay | RowRefusal>();
  const taken: TakenRow[] = [];
  const rejected: DeliveryReport["rejected"] = [];
  for (const { index, row } of rows) {
    const campaign = campaigns.get(row.campaignId);
    const item = campaign?.lineItemOf.get(row.audienceId);
    if (!campaign || !item) {
      const code = !campaign ? "unknown_line_item" : campaign.versions.size === 0 ? "not_approved" : "foreign_audience";
      rejected.push({ index, code });
      continue;
    }
    const key = `${item.id} ${row.day}`;
    const day = days.get(key) ?? runningDay(item, { versions: campaign.versions, day: row.day });
    days.set(key, day);
    const code = typeof day === "string" ? day : day.takes(row);
    if (typeof day === "string" || code) rejected.push({ index, code: code ?? "not_running" });
    else taken.push({ day, change: changeOf(row, item) });
  }
  return { taken, rejected };
}

function changeOf(
  { spendMicros, ...row }: DeliveryRow,
  item: Pick<FactChange, "publisherId"> & { id: FactChange["lineItemId"] },
): FactChange {
  return { ...row, lineItemId: item.id, publisherId: item.publisherId, reportedMicros: spendMicros };
}

function isSame(change: FactChange, stored: StoredFact | undefined): boolean {
  return (
    stored !== undefined &&
    stored.impressions === change.impressions &&
    stored.clicks === change.clicks &&
    stored.conversions === change.conversions &&
    stored.reportedMicros === change.reportedMicros &&
    stored.revenueMicros === change.revenueMicros
  );
}

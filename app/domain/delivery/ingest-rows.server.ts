import type { CalendarDate } from "../calendar-date.ts";
import { completeExhaustedCampaigns, exhaustedCampaigns } from "../campaigns/complete-campaigns.server.ts";
import { notifyBudgetThresholds } from "../campaigns/notifications/notify-budget-thresholds.server.ts";
import type { Ctx } from "../context.ts";
import type { CampaignId } from "../ids.ts";
import { allocateSpend } from "./allocate-spend.ts";
import { beginReport } from "./begin-report.server.ts";
import { areSameCreatives } from "./delivery-creatives.ts";
import { type FactChange, factKey, type StoredFact, spentSoFar } from "./delivery-facts.server.ts";
import type { DeliveryRow, RowRejection } from "./delivery-row.ts";
import { listCommittedFacts } from "./distributed-facts.server.ts";
import { type FlightDay, flightDay, type LineItemHistory } from "./flight-day.ts";
import { type LockedCampaign, lockCampaigns } from "./lock-campaigns.server.ts";
import { upsertFacts } from "./upsert-facts.server.ts";

/** A row with its index in the report. */
export type IndexedRow = { index: number; row: DeliveryRow };
type RejectedRow = { index: number; code: RowRejection };

/**
 * Ingests rows in the caller's transaction, with their campaigns locked: validates them, allocates their spend, writes
 * new and changed facts, and completes campaigns whose budget is exhausted.
 */
export async function ingestRows(
  ctx: Ctx,
  rows: readonly IndexedRow[],
): Promise<{ added: number; restated: number; rejected: RejectedRow[] }> {
  const ids = new Set(rows.map(({ row }) => row.campaignId));
  await beginReport(ctx, ids);
  const campaigns = await lockCampaigns(ctx, ids);
  const { accepted, rejected } = validateRows(rows, campaigns);
  const { facts, areDistributed } = await listCommittedFacts(
    ctx,
    accepted.map(({ change }) => change),
  );
  for (const one of accepted) one.stored = facts.size === 0 ? undefined : facts.get(factKey(one.change));
  const changed = accepted.filter(({ change, stored }) => !isSame(change, stored));
  if (changed.length === 0) return { added: 0, restated: 0, rejected };
  const spent = await spentSoFar(ctx, { campaigns, days: changed.map(({ change }) => change.row) });
  const amounts = allocateSpend(
    changed.map(({ change: { row }, day, stored }) => ({
      campaignId: row.campaignId,
      day: row.day,
      reportedMicros: row.spendMicros,
      allocatedMicros: stored?.spendMicros ?? 0,
      dailyMicros: day.dailyMicros,
      totalMicros: day.totalMicros,
    })),
    spent,
  );
  const changes = changed.map(({ change, stored }, index) => ({
    change,
    allocatedMicros: amounts[index] ?? 0,
    isNew: stored === undefined,
  }));
  const restated = changes.filter(({ isNew }) => !isNew).length;
  const now = [...campaigns.values()].map((campaign) => ({
    ...campaign,
    spentMicros: spent.all.get(campaign.id) ?? 0,
  }));
  const exhausted = exhaustedCampaigns(now);
  const counts = { rows: rows.length, rejected: rejected.length };
  await upsertFacts(ctx, { changes, campaigns, exhausted, areDistributed, ...counts });
  await notifyBudgetThresholds(ctx, now);
  await completeExhaustedCampaigns(ctx, exhausted);
  return { added: changes.length - restated, restated, rejected };
}

type AcceptedRow = { change: FactChange; day: FlightDay; stored: StoredFact | undefined };

/** Splits the rows into those that their line item could have delivered on the day, and rejected ones. */
function validateRows(rows: readonly IndexedRow[], campaigns: ReadonlyMap<CampaignId, LockedCampaign>) {
  const days = new Map<LineItemHistory, Map<CalendarDate, FlightDay | RowRejection>>();
  const accepted: AcceptedRow[] = [];
  const rejected: RejectedRow[] = [];
  for (const { index, row } of rows) {
    const campaign = campaigns.get(row.campaignId);
    const item = campaign?.lineItemOf.get(row.audienceId);
    if (!campaign || !item) {
      const code = !campaign ? "unknown_line_item" : campaign.versions.size === 0 ? "not_approved" : "foreign_audience";
      rejected.push({ index, code });
      continue;
    }
    const known = days.get(item) ?? new Map<CalendarDate, FlightDay | RowRejection>();
    if (known.size === 0) days.set(item, known);
    const day = known.get(row.day) ?? flightDay(item, { campaign, day: row.day });
    known.set(row.day, day);
    const code = typeof day === "string" ? day : day.validate(row);
    if (typeof day === "string" || code) rejected.push({ index, code: code ?? "not_running" });
    else
      accepted.push({
        day,
        change: { row, lineItemId: item.id, publisherId: item.publisherId },
        stored: undefined,
      });
  }
  return { accepted, rejected };
}

function isSame({ row }: FactChange, stored: StoredFact | undefined): boolean {
  return (
    stored !== undefined &&
    stored.impressions === row.impressions &&
    stored.clicks === row.clicks &&
    stored.conversions === row.conversions &&
    stored.reportedMicros === row.spendMicros &&
    stored.revenueMicros === row.revenueMicros &&
    stored.reach === row.reach &&
    areSameCreatives(row.creatives, stored.creatives)
  );
}

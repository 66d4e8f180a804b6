import { sql } from "drizzle-orm";
import type { CalendarDate } from "../calendar-date.ts";
import { completeUsedUp } from "../campaigns/complete-campaigns.server.ts";
import { tellOfBudgets } from "../campaigns/tell-of-budgets.server.ts";
import type { Ctx } from "../context.ts";
import type { CampaignId } from "../ids.ts";
import { areSameCreatives } from "./delivery-creatives.ts";
import { type FactChange, factKey, listFacts, type StoredFact, spentSoFar } from "./delivery-facts.server.ts";
import type { DeliveryRow, RowRefusal } from "./delivery-row.ts";
import { type LockedCampaign, lockCampaigns } from "./lock-campaigns.server.ts";
import { type PastLineItem, type RunningDay, runningDay } from "./running-day.ts";
import { takeSpend } from "./take-spend.ts";
import { writeFacts } from "./write-facts.server.ts";

/** A row with its place in the report. */
export type PlacedRow = { index: number; row: DeliveryRow };
type Refused = { index: number; code: RowRefusal };

/**
 * Takes rows in the caller's transaction, under the locks of their campaigns: judges them, takes what they cost from the budgets,
 * writes what is new or other than before, and completes campaigns whose budget is used up.
 */
export async function takeRows(
  ctx: Ctx,
  rows: readonly PlacedRow[],
): Promise<{ added: number; restated: number; rejected: Refused[] }> {
  // Others wait for these locks a person's time; a report has more.
  await ctx.db.execute(
    sql`select set_config('lock_timeout', '60s', true), set_config('statement_timeout', '60s', true)`,
  );
  const campaigns = await lockCampaigns(ctx, new Set(rows.map(({ row }) => row.campaignId)));
  const { taken, rejected } = judge(rows, campaigns);
  const facts = await listFacts(
    ctx,
    taken.map(({ change }) => change),
  );
  for (const one of taken) one.stored = facts.size === 0 ? undefined : facts.get(factKey(one.change));
  const changed = taken.filter(({ change, stored }) => !isSame(change, stored));
  if (changed.length === 0) return { added: 0, restated: 0, rejected };
  const spent = await spentSoFar(ctx, { campaigns, days: changed.map(({ change }) => change.row) });
  const amounts = takeSpend(
    changed.map(({ change: { row }, day, stored }) => ({
      campaignId: row.campaignId,
      day: row.day,
      reportedMicros: row.spendMicros,
      takenMicros: stored?.spendMicros ?? 0,
      dailyMicros: day.dailyMicros,
      totalMicros: day.totalMicros,
    })),
    spent,
  );
  const changes = changed.map(({ change, stored }, index) => ({
    change,
    takenMicros: amounts[index] ?? 0,
    isNew: stored === undefined,
  }));
  const restated = changes.filter(({ isNew }) => !isNew).length;
  await writeFacts(ctx, { changes, campaigns, rows: rows.length, refused: rejected.length });
  const now = [...campaigns.values()].map((campaign) => ({
    ...campaign,
    spentMicros: spent.all.get(campaign.id) ?? 0,
  }));
  await tellOfBudgets(ctx, now);
  await completeUsedUp(ctx, now);
  return { added: changes.length - restated, restated, rejected };
}

type TakenRow = { change: FactChange; day: RunningDay; stored: StoredFact | undefined };

/** Which rows a line item could have delivered on its day. */
function judge(rows: readonly PlacedRow[], campaigns: ReadonlyMap<CampaignId, LockedCampaign>) {
  const days = new Map<PastLineItem, Map<CalendarDate, RunningDay | RowRefusal>>();
  const taken: TakenRow[] = [];
  const rejected: Refused[] = [];
  for (const { index, row } of rows) {
    const campaign = campaigns.get(row.campaignId);
    const item = campaign?.lineItemOf.get(row.audienceId);
    if (!campaign || !item) {
      const code = !campaign ? "unknown_line_item" : campaign.versions.size === 0 ? "not_approved" : "foreign_audience";
      rejected.push({ index, code });
      continue;
    }
    const known = days.get(item) ?? new Map<CalendarDate, RunningDay | RowRefusal>();
    if (known.size === 0) days.set(item, known);
    const day = known.get(row.day) ?? runningDay(item, { versions: campaign.versions, day: row.day });
    known.set(row.day, day);
    const code = typeof day === "string" ? day : day.takes(row);
    if (typeof day === "string" || code) rejected.push({ index, code: code ?? "not_running" });
    else
      taken.push({
        day,
        change: { row, lineItemId: item.id, publisherId: item.publisherId },
        stored: undefined,
      });
  }
  return { taken, rejected };
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

import type { CalendarDate } from "../calendar-date.ts";
import type { CampaignId } from "../ids.ts";

/** A request to allocate the spend of one fact to a campaign's budgets, in micros. */
export type SpendRequest = {
  campaignId: CampaignId;
  day: CalendarDate;
  reportedMicros: number;
  /** The spend that was allocated to the fact before, if it was reported before. */
  allocatedMicros: number;
  dailyMicros: number;
  totalMicros: number;
};

/**
 * Returns the allocated spend of each request, in order, in micros: never more than the daily or total budget. Earlier
 * allocations stay unless the report is lower now. `spent` is the spend of the campaigns so far, in total and by day
 * (`dayKey`), and is updated. Otherwise pure.
 */
export function allocateSpend(requests: readonly SpendRequest[], spent: SpendTotals): number[] {
  const keyed = requests.map((request) => ({ ...request, key: dayKey(request) }));
  for (const request of keyed) add(spent, request, Math.min(0, request.reportedMicros - request.allocatedMicros));
  return keyed.map((request) => {
    const allocatedBefore = Math.min(request.allocatedMicros, request.reportedMicros);
    const remainingToday = request.dailyMicros - (spent.byDay.get(request.key) ?? 0);
    const remaining = Math.max(
      0,
      Math.min(remainingToday, request.totalMicros - (spent.all.get(request.campaignId) ?? 0)),
    );
    const more = Math.min(request.reportedMicros - allocatedBefore, remaining);
    add(spent, request, more);
    return allocatedBefore + more;
  });
}

export type SpendTotals = { all: Map<CampaignId, number>; byDay: Map<string, number> };

export function dayKey({ campaignId, day }: { campaignId: CampaignId; day: CalendarDate }): string {
  return `${campaignId} ${day}`;
}

function add(spent: SpendTotals, request: SpendRequest & { key: string }, micros: number): void {
  if (micros === 0) return;
  spent.all.set(request.campaignId, (spent.all.get(request.campaignId) ?? 0) + micros);
  spent.byDay.set(request.key, (spent.byDay.get(request.key) ?? 0) + micros);
}

import type { CalendarDate } from "../calendar-date.ts";
import type { CampaignId } from "../ids.ts";

/** What is to be taken from a campaign's budgets for one fact. In micros. */
export type Claim = {
  campaignId: CampaignId;
  day: CalendarDate;
  reportedMicros: number;
  /** What was taken for the fact before, if it was reported before. */
  takenMicros: number;
  dailyMicros: number;
  totalMicros: number;
};

/**
 * How much of each claim the budgets hold, in the claims' order: never more than a day's or the total budget, nothing twice.
 * What was taken stays taken unless the report is lower now. `spent` is what was taken from the campaigns so far, all and by
 * day (`dayKey`), and is brought up to date. Pure but for that.
 */
export function takeSpend(claims: readonly Claim[], spent: Spent): number[] {
  const keyed = claims.map((claim) => ({ ...claim, key: dayKey(claim) }));
  for (const claim of keyed) add(spent, claim, Math.min(0, claim.reportedMicros - claim.takenMicros));
  return keyed.map((claim) => {
    const held = Math.min(claim.takenMicros, claim.reportedMicros);
    const roomToday = claim.dailyMicros - (spent.byDay.get(claim.key) ?? 0);
    const room = Math.max(0, Math.min(roomToday, claim.totalMicros - (spent.all.get(claim.campaignId) ?? 0)));
    const more = Math.min(claim.reportedMicros - held, room);
    add(spent, claim, more);
    return held + more;
  });
}

export type Spent = { all: Map<CampaignId, number>; byDay: Map<string, number> };

export function dayKey({ campaignId, day }: { campaignId: CampaignId; day: CalendarDate }): string {
  return `${campaignId} ${day}`;
}

function add(spent: Spent, claim: Claim & { key: string }, micros: number): void {
  if (micros === 0) return;
  spent.all.set(claim.campaignId, (spent.all.get(claim.campaignId) ?? 0) + micros);
  spent.byDay.set(claim.key, (spent.byDay.get(claim.key) ?? 0) + micros);
}

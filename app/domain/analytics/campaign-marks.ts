import type { CalendarDate } from "../calendar-date.ts";
import type { CampaignId } from "../ids.ts";
import type { Cents } from "../money.ts";
import type { PeriodInterval } from "./interval.ts";

/** What is marked in a chart of delivery. */
export const markKinds = ["launch", "pause", "resume", "budget_change"] as const;
export type MarkKind = (typeof markKinds)[number];

/** The budgets of a version. */
export type Budgets = { totalCents: Cents; dailyCents: Cents };

/** What happened to one campaign on a day (UTC). */
export type CampaignMark = {
  day: CalendarDate;
  kind: MarkKind;
  campaignId: CampaignId;
  campaignName: string;
  /** The publisher that paused or resumed the campaign on its own audiences; null when the advertiser acted. */
  publisherName: string | null;
  /** The budgets that the approved version replaced, and its own; null for other kinds. */
  budgets: { before: Budgets; after: Budgets } | null;
};

/**
 * The marks of a period, in chronological order. When there were more changes than are read, `readFrom` is the day of
 * the oldest that was read: none before it are included, and perhaps not all of that day. Otherwise it is null.
 */
export type CampaignMarks = { marks: CampaignMark[]; readFrom: CalendarDate | null };

/** The marks of one interval of a chart, which are drawn as one. */
export type IntervalMarks = {
  /** The place of the interval. */
  index: number;
  marks: CampaignMark[];
  /** Whether there may have been more. */
  isAtLeast: boolean;
};

/** Groups marks by the intervals that they fall into. Intervals without a mark are left out. Pure. */
export function groupMarks({ marks, readFrom }: CampaignMarks, intervals: readonly PeriodInterval[]): IntervalMarks[] {
  return intervals.flatMap(({ from, to }, index) => {
    const own = marks.filter(({ day }) => day >= from && day <= to);
    const isAtLeast = readFrom !== null && readFrom >= from && readFrom <= to;
    return own.length === 0 ? [] : [{ index, marks: own, isAtLeast }];
  });
}

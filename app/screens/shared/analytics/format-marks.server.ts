import type { AccountType } from "#app/domain/accounts/account.ts";
import type { Interval } from "#app/domain/analytics/analytics.ts";
import type { Budgets, CampaignMark, IntervalMarks, MarkKind } from "#app/domain/analytics/campaign-marks.ts";
import type { PeriodInterval } from "#app/domain/analytics/interval.ts";
import { formatDate } from "#app/domain/calendar-date.ts";
import { formatCents } from "#app/domain/money.ts";
import { pluralize } from "#app/ui/format.ts";

/** The most lines of a mark in the list, and the most names in its label. */
const maxLines = 10;
const maxNames = 3;

/** A mark of the chart: its label, and what happened, of which `more` changes are not listed. */
export type MarkSummary = {
  index: number;
  label: string;
  isMany: boolean;
  heading: string;
  lines: { campaignId: string; campaignName: string; before: string; after: string }[];
  more: number;
  /** The days of the interval. */
  from: string;
  to: string;
};

/** Formats the marks of an interval for the account's side. */
export function formatMarks(
  { index, marks, isAtLeast }: IntervalMarks,
  { interval, place, side }: { interval: Interval; place: PeriodInterval & { label: string }; side: AccountType },
): MarkSummary {
  const shown = marks.slice(0, maxLines);
  return {
    index,
    label: describeMarks(marks, isAtLeast),
    isMany: marks.length > 1,
    heading: marks.length > 1 || isAtLeast ? `${place.label}: ${countMarks(marks, isAtLeast)}` : place.label,
    lines: shown.map((mark) => ({
      campaignId: mark.campaignId,
      campaignName: mark.campaignName,
      before: interval === "day" ? "" : `${formatDate(mark.day)}: `,
      after: describeMark(mark, side),
    })),
    more: marks.length - shown.length,
    from: place.from,
    to: place.to,
  };
}

function countMarks(marks: readonly CampaignMark[], isAtLeast: boolean): string {
  return `${isAtLeast ? "at least " : ""}${pluralize(marks.length, "change")}`;
}

const kindLabels: Record<MarkKind, string> = {
  launch: "Launched",
  pause: "Paused",
  resume: "Resumed",
  budget_change: "Budget changed",
};

/** Formats `3 changes. Launched: Packs, Tents. Paused: Coffee`. */
function describeMarks(marks: readonly CampaignMark[], isAtLeast: boolean): string {
  const kinds = Object.entries(kindLabels).flatMap(([kind, label]) => {
    const names = [...new Set(marks.filter((mark) => mark.kind === kind).map(({ campaignName }) => campaignName))];
    const more = names.length - maxNames;
    return names.length === 0
      ? []
      : [`${label}: ${names.slice(0, maxNames).join(", ")}${more > 0 ? ` and ${more} more` : ""}`];
  });
  const count = marks.length === 1 && !isAtLeast ? [] : [countMarks(marks, isAtLeast)];
  return [...count, ...kinds].join(". ").replace(/^./, (letter) => letter.toUpperCase());
}

/** Formats what follows a campaign's name. */
function describeMark({ kind, publisherName, budgets }: CampaignMark, side: AccountType): string {
  if (kind === "launch") return "launched";
  if (budgets) return describeBudgets(budgets);
  const verb = kind === "pause" ? "paused" : "resumed";
  if (side === "publisher") return publisherName ? `${verb} on your audiences` : `${verb} by the advertiser`;
  return publisherName ? `${verb} by ${publisherName} on its audiences` : verb;
}

function describeBudgets({ before, after }: { before: Budgets; after: Budgets }): string {
  const parts = (
    [
      ["total budget", before.totalCents, after.totalCents],
      ["daily budget", before.dailyCents, after.dailyCents],
    ] as const
  ).flatMap(([label, old, now]) =>
    old === now ? [] : [`${label} changed from ${formatCents(old)} to ${formatCents(now)}`],
  );
  return parts.join(", ");
}

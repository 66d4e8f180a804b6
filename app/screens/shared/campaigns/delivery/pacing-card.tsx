import { type CalendarDate, formatDate } from "#app/domain/calendar-date.ts";
import type { Tone } from "#app/domain/campaigns/campaign.ts";
import type { CampaignPacing } from "#app/domain/delivery/get-campaign-pacing.server.ts";
import { formatCents } from "#app/domain/money.ts";
import { Badge } from "#app/ui/badge.tsx";
import { TimeSeries } from "#app/ui/chart/time-series.tsx";
import { Card } from "#app/ui/page-header.tsx";

const states: Record<CampaignPacing["state"], { label: string; tone: Tone }> = {
  too_early: { label: "Too early to tell", tone: "neutral" },
  on_pace: { label: "On pace", tone: "good" },
  behind: { label: "Behind", tone: "warn" },
  ahead: { label: "Ahead", tone: "info" },
};

const notRunning: { label: string; tone: Tone } = { label: "Not running", tone: "warn" };

/**
 * Planned spend, actual spend and the projection, with the reason if the campaign is behind. Nothing is projected while
 * it can't spend. A publisher sees its own line item's.
 */
export function PacingCard({ pace, today }: { pace: CampaignPacing; today: CalendarDate }) {
  const { days, state, reason, whole, stopped } = pace;
  const over = today > pace.endDate;
  const { label, tone } = stopped && !over ? notRunning : states[state];
  return (
    <Card title="Pace" aside={whole && (!over || state === "behind") ? <Badge tone={tone}>{label}</Badge> : null}>
      <div className="grid gap-4">
        <div>
          <p>{describePacing(pace, today)}</p>
          {whole && reason ? <p className="mt-1 font-semibold text-ink">{reason}</p> : null}
        </div>
        <TimeSeries
          title="Spend since the start of the flight"
          days={days.map(({ day }) => day)}
          lines={[
            { label: whole ? "Actual" : "Your part", kind: "money", values: days.map(({ actual }) => actual) },
            {
              label: whole ? "Planned" : "Planned for the campaign",
              kind: "money",
              values: days.map(({ planned }) => planned),
              variant: "planned",
            },
            ...(over || stopped
              ? []
              : [
                  {
                    label: "Projected",
                    kind: "money",
                    values: days.map(({ projected }) => projected),
                    variant: "projected",
                  } as const,
                ]),
          ]}
        />
      </div>
    </Card>
  );
}

function describePacing(
  { plannedSoFar, spentSoFar, projectedEnd, totalBudgetCents, endDate, whole, stopped }: CampaignPacing,
  today: CalendarDate,
): string {
  const spent = formatCents(spentSoFar);
  const budget = formatCents(totalBudgetCents);
  if (!whole) {
    const until = today > endDate ? "" : " by the end of yesterday";
    return `${spent} of the campaign's ${budget} budget was spent on your audiences${until}.`;
  }
  if (today > endDate) return `${spent} of the ${budget} budget was spent.`;
  const soFar = `${spent} spent by the end of yesterday, against ${formatCents(plannedSoFar)} planned.`;
  if (stopped) return soFar;
  return `${soFar} At this pace, spend will reach ${formatCents(projectedEnd)} of ${budget} by ${formatDate(endDate)}.`;
}

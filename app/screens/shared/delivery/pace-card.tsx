import { type CalendarDate, formatDate } from "#app/domain/calendar-date.ts";
import type { Tone } from "#app/domain/campaigns/campaign.ts";
import type { CampaignPace } from "#app/domain/delivery/get-campaign-pace.server.ts";
import { formatCents } from "#app/domain/money.ts";
import { Badge } from "#app/ui/badge.tsx";
import { TimeSeries } from "#app/ui/chart/time-series.tsx";
import { Card } from "#app/ui/layout.tsx";

const states: Record<CampaignPace["state"], { label: string; tone: Tone }> = {
  too_early: { label: "Too early to tell", tone: "neutral" },
  on_pace: { label: "On pace", tone: "good" },
  behind: { label: "Behind", tone: "warn" },
  ahead: { label: "Ahead", tone: "info" },
};

/** What was planned to be spent, what was, and where that leads; why, where it is behind. Of one publisher of several, its part. */
export function PaceCard({ pace, today }: { pace: CampaignPace; today: CalendarDate }) {
  const { days, state, reason, whole } = pace;
  const { label, tone } = states[state];
  const over = today > pace.endDate;
  return (
    <Card title="Pace" aside={whole && (!over || state === "behind") ? <Badge tone={tone}>{label}</Badge> : null}>
      <div className="grid gap-4">
        <div>
          <p>{wordsOf(pace, today)}</p>
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
              look: "planned",
            },
            ...(over
              ? []
              : [
                  {
                    label: "Projected",
                    kind: "money",
                    values: days.map(({ projected }) => projected),
                    look: "projected",
                  } as const,
                ]),
          ]}
        />
      </div>
    </Card>
  );
}

function wordsOf(
  { plannedSoFar, spentSoFar, projectedEnd, totalBudgetCents, endDate, whole }: CampaignPace,
  today: CalendarDate,
): string {
  const spent = formatCents(spentSoFar);
  if (!whole) return `Your audiences took ${spent} of the campaign's budget of ${formatCents(totalBudgetCents)}.`;
  if (today > endDate) return `${spent} of the budget of ${formatCents(totalBudgetCents)} was spent.`;
  const soFar = `${spent} was spent by the end of yesterday, ${formatCents(plannedSoFar)} was planned.`;
  return `${soFar} If it goes on like this, it will be ${formatCents(projectedEnd)} of ${formatCents(totalBudgetCents)} on ${formatDate(endDate)}.`;
}

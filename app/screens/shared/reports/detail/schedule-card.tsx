import type { Report } from "#app/domain/reports/list-reports.server.ts";
import { reportRangeLabels } from "#app/domain/reports/report-period.ts";
import { describeTiming, formatZone, reportFormatLabels } from "#app/screens/shared/reports/report-copy.ts";
import { LinkButton } from "#app/ui/button.tsx";
import { Card, DescriptionList } from "#app/ui/page-header.tsx";

type Schedule = Omit<NonNullable<Report["schedule"]>, "createdAt" | "nextDueAt">;

/** When a report is emailed, and to whom; who receives nothing is named with the reason. */
export function ScheduleCard({
  schedule,
  next,
  editHref,
}: {
  schedule: Schedule;
  next: string | undefined;
  editHref: string;
}) {
  return (
    <Card title="Schedule" aside={<LinkButton to={editHref}>Change schedule</LinkButton>}>
      <DescriptionList
        facts={[
          { label: "Sent", value: `${describeTiming(schedule)}, ${formatZone(schedule.timeZone)}` },
          { label: "Next email", value: next ?? "None while it is paused" },
          { label: "Dates", value: reportRangeLabels[schedule.range] },
          { label: "File", value: reportFormatLabels[schedule.format] },
          {
            label: "Recipients",
            wide: true,
            value: (
              <ul className="stack-sm">
                {schedule.recipients.map((person) => (
                  <li key={person.userId} className="wrap-anywhere">
                    <Recipient {...person} />
                  </li>
                ))}
              </ul>
            ),
          },
        ]}
      />
    </Card>
  );
}

function Recipient({ name, email, state }: Schedule["recipients"][number]) {
  if (state === "left") return <span className="hint">A person who left the account. Receives nothing.</span>;
  return (
    <>
      {name} <span className="hint">{email}</span>
      {state === "muted" ? (
        <span className="hint"> – turned off emails of scheduled reports, so receives nothing</span>
      ) : null}
      {state === "suppressed" ? (
        <span className="hint"> – has to confirm this address before we send emails to it, so receives nothing</span>
      ) : null}
    </>
  );
}

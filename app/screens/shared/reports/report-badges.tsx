import type { Report } from "#app/domain/reports/list-reports.server.ts";
import { Badge } from "#app/ui/badge.tsx";
import { pluralize } from "#app/ui/format.ts";

export function ReportBadge({ schedule }: Pick<Report, "schedule">) {
  if (!schedule) return <Badge>Not scheduled</Badge>;
  return schedule.isPaused ? <Badge tone="warn">Paused</Badge> : <Badge tone="good">Active</Badge>;
}

type Counts = { sent: number; waiting: number; failed: number; kept: number };

/** The result of a sending: what became of its emails. */
export function SendingBadge({ sent, waiting, failed, kept }: Counts) {
  const all = sent + waiting + failed + kept;
  if (failed > 0) return <Badge tone="bad">{`Failed: ${failed} of ${pluralize(all, "email")}`}</Badge>;
  if (waiting > 0) return <Badge tone="info">Sending</Badge>;
  if (sent > 0) return <Badge tone="good">{`Sent to ${pluralize(sent, "person", "people")}`}</Badge>;
  return <Badge>{kept > 0 ? "Not emailed" : "No recipients"}</Badge>;
}

import { type PortalBase, portalHref } from "#app/portal/portal-href.ts";
import { Link } from "#app/ui/link.tsx";
import { Card } from "#app/ui/page-header.tsx";
import { useTimeFormats } from "#app/ui/time/use-time-formats.ts";
import type { ActivityLine } from "./activity-lines.ts";
import { ActivitySentence } from "./activity-sentence.tsx";
import { HistoryIcon } from "./history-timeline.tsx";

/** The newest of what happened in the account, for a dashboard. */
export function RecentActivity({ lines, now, base }: { lines: readonly ActivityLine[]; now: Date; base: PortalBase }) {
  const { formatDateTime, formatRelativeTime } = useTimeFormats();
  const all = (
    <Link className="link" to={portalHref(base, "/activity")} prefetch="intent">
      See all
    </Link>
  );
  return (
    <Card title="Recent Activity" aside={all}>
      {lines.length === 0 ? (
        <p className="hint">No activity yet.</p>
      ) : (
        <ul className="timeline">
          {lines.map((line) => (
            <li key={line.id}>
              <HistoryIcon action={line.action} />
              <div>
                <ActivitySentence line={line} base={base} />
                <time dateTime={line.at.toISOString()} title={formatDateTime(line.at)}>
                  {formatRelativeTime(line.at, now)} · {line.entrypoint}
                </time>
              </div>
            </li>
          ))}
        </ul>
      )}
    </Card>
  );
}

import { rejectionReasonLabels } from "#app/domain/campaigns/campaign.ts";
import type { Decision } from "#app/domain/campaigns/list-decisions.server.ts";
import { Badge } from "#app/ui/badge.tsx";
import { useTimeFormats } from "#app/ui/time/use-time-formats.ts";

/** Every decision of the publisher, newest first. */
export function DecisionHistory({ decisions, managed }: { decisions: readonly Decision[]; managed: boolean }) {
  if (decisions.length === 0) return <p className="hint">No decisions yet</p>;
  return (
    <ul className="grid gap-4">
      {decisions.map((decision) => (
        <li key={decision.id} className="grid gap-1">
          <span className="flex flex-wrap items-center gap-2">
            <Badge tone={decision.action === "approve" ? "good" : "bad"}>
              {decision.action === "approve" ? "Approved" : "Rejected"}
            </Badge>
            <strong>Version {decision.version}</strong>
            {managed && decision.version === 1 ? <span className="hint">when created</span> : null}
          </span>
          <DecisionDetails decision={decision} />
        </li>
      ))}
    </ul>
  );
}

/** Who decided, when, and with which reasons and notes. */
export function DecisionDetails({ decision: { decidedAt, decidedBy, reasons, notes } }: { decision: Decision }) {
  const { formatDateTime } = useTimeFormats();
  return (
    <>
      <p className="hint">
        {decidedBy ? `${decidedBy} · ` : ""}
        <time dateTime={decidedAt.toISOString()}>{formatDateTime(decidedAt)}</time>
      </p>
      {reasons.length > 0 ? <p>{reasons.map((reason) => rejectionReasonLabels[reason]).join(" · ")}</p> : null}
      {notes ? <p className="whitespace-pre-line wrap-anywhere">{notes}</p> : null}
    </>
  );
}

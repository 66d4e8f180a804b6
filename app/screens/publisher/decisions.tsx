import { rejectionReasonLabels } from "#app/domain/campaigns/campaign.ts";
import type { Decision } from "#app/domain/campaigns/list-decisions.server.ts";
import { Badge } from "#app/ui/badge.tsx";
import { formatInstant } from "#app/ui/format.ts";

/** Every answer the publisher gave, newest first. */
export function Decisions({ decisions, managed }: { decisions: readonly Decision[]; managed: boolean }) {
  if (decisions.length === 0) return <p className="hint">Nothing decided yet.</p>;
  return (
    <ul className="grid gap-4">
      {decisions.map((decision) => (
        <li key={decision.id} className="grid gap-1">
          <span className="flex flex-wrap items-center gap-2">
            <Badge tone={decision.action === "approve" ? "good" : "bad"}>
              {decision.action === "approve" ? "Approved" : "Rejected"}
            </Badge>
            <strong>Version {decision.version}</strong>
            {managed && decision.version === 1 ? <span className="hint">with its creation</span> : null}
          </span>
          <DecisionWords decision={decision} />
        </li>
      ))}
    </ul>
  );
}

/** Who, when, and what was written. */
export function DecisionWords({ decision: { decidedAt, decidedBy, reasons, notes } }: { decision: Decision }) {
  return (
    <>
      <p className="hint">
        {decidedBy ? `${decidedBy} · ` : ""}
        <time dateTime={decidedAt.toISOString()}>{formatInstant(decidedAt)}</time>
      </p>
      {reasons.length > 0 ? <p>{reasons.map((reason) => rejectionReasonLabels[reason]).join(" · ")}</p> : null}
      {notes ? <p className="whitespace-pre-line wrap-anywhere">{notes}</p> : null}
    </>
  );
}

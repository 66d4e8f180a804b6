import {
  type AudienceStatus,
  audienceStatusLabels,
  minimumAudienceSize,
  type UploadStatus,
} from "#app/domain/audiences/audience.ts";
import { Badge, type BadgeTone } from "#app/ui/badge.tsx";
import { formatCount } from "#app/ui/format.ts";

const statusTones: Record<AudienceStatus, BadgeTone> = {
  building: "info",
  below_minimum: "warn",
  ready: "good",
  archived: "neutral",
};

export function AudienceStatusBadge({ status }: { status: AudienceStatus }) {
  return <Badge tone={statusTones[status]}>{audienceStatusLabels[status]}</Badge>;
}

const uploadStatusLabels: Record<UploadStatus, { tone: BadgeTone; label: string }> = {
  running: { tone: "info", label: "Processing" },
  succeeded: { tone: "good", label: "Completed" },
  failed: { tone: "bad", label: "Failed" },
};

export function UploadStatusBadge({ status }: { status: UploadStatus }) {
  const { tone, label } = uploadStatusLabels[status];
  return <Badge tone={tone}>{label}</Badge>;
}

/** Describes how many people an audience lacks to reach the minimum; undefined once it has enough. */
export function describeShortfall({ size, status }: { size: number; status: AudienceStatus }): string | undefined {
  if (status === "archived" || size >= minimumAudienceSize) return undefined;
  const missing = formatCount(minimumAudienceSize - size);
  return `Add ${missing} more ${missing === "1" ? "person" : "people"} before campaigns can use this audience.`;
}

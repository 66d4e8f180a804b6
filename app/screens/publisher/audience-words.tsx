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

const uploadWords: Record<UploadStatus, { tone: BadgeTone; label: string }> = {
  running: { tone: "info", label: "Running" },
  succeeded: { tone: "good", label: "Done" },
  failed: { tone: "bad", label: "Failed" },
};

export function UploadStatusBadge({ status }: { status: UploadStatus }) {
  const { tone, label } = uploadWords[status];
  return <Badge tone={tone}>{label}</Badge>;
}

/** How far an audience is from the minimum; undefined once it is there. */
export function wordsOfMissing({ size, status }: { size: number; status: AudienceStatus }): string | undefined {
  if (status === "archived" || size >= minimumAudienceSize) return undefined;
  const missing = formatCount(minimumAudienceSize - size);
  return `${missing} more ${missing === "1" ? "person is" : "people are"} needed before campaigns can use it.`;
}

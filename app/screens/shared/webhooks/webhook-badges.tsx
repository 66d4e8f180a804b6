import type { WebhookDeliveryState, WebhookState } from "#app/domain/webhooks/webhook.ts";
import { Badge, type BadgeTone } from "#app/ui/badge.tsx";

export function WebhookBadge({ state }: { state: WebhookState }) {
  return state === "active" ? <Badge tone="good">Active</Badge> : <Badge tone="bad">Disabled</Badge>;
}

const labels: Record<WebhookDeliveryState, { tone: BadgeTone; label: string }> = {
  waiting: { tone: "info", label: "Pending" },
  sending: { tone: "info", label: "Sending" },
  delivered: { tone: "good", label: "Delivered" },
  failed: { tone: "bad", label: "Failed" },
};

/** The status of a delivery; one that failed and is scheduled again says so. */
export function WebhookDeliveryBadge({ state, attempts }: { state: WebhookDeliveryState; attempts: number }) {
  if (state === "waiting" && attempts > 0) return <Badge tone="warn">Retry scheduled</Badge>;
  return <Badge tone={labels[state].tone}>{labels[state].label}</Badge>;
}

/** Returns a URL without its scheme, for tables and titles. */
export function urlWithoutScheme(url: string): string {
  return url.replace(/^https?:\/\//, "").replace(/\/$/, "");
}

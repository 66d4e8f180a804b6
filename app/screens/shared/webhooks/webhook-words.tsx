import type { WebhookDeliveryState, WebhookState } from "#app/domain/webhooks/webhook.ts";
import { Badge, type BadgeTone } from "#app/ui/badge.tsx";

export function WebhookBadge({ state }: { state: WebhookState }) {
  return state === "active" ? <Badge tone="good">Active</Badge> : <Badge tone="bad">Switched off</Badge>;
}

const words: Record<WebhookDeliveryState, { tone: BadgeTone; label: string }> = {
  waiting: { tone: "info", label: "Waiting" },
  sending: { tone: "info", label: "Being sent" },
  delivered: { tone: "good", label: "Delivered" },
  failed: { tone: "bad", label: "Not delivered" },
};

/** How a delivery stands; one that failed before and waits says so. */
export function DeliveryBadge({ state, attempts }: { state: WebhookDeliveryState; attempts: number }) {
  if (state === "waiting" && attempts > 0) return <Badge tone="warn">Will be tried again</Badge>;
  return <Badge tone={words[state].tone}>{words[state].label}</Badge>;
}

/** An address without what stands before its host, for tables and titles. */
export function shortUrl(url: string): string {
  return url.replace(/^https?:\/\//, "").replace(/\/$/, "");
}

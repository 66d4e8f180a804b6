import type { ListedWebhookDelivery } from "#app/domain/webhooks/list-webhook-deliveries.server.ts";
import { WebhookDeliveryBadge } from "#app/screens/shared/webhooks/webhook-badges.tsx";
import { CodeBlock } from "#app/ui/code-block.tsx";
import { Dialog } from "#app/ui/dialog.tsx";
import { DescriptionList } from "#app/ui/page-header.tsx";
import { useTimeFormats } from "#app/ui/time/use-time-formats.ts";

/** A webhook delivery: its status, and the payload byte for byte. */
export function WebhookDeliveryDialog({ delivery, closeTo }: { delivery: ListedWebhookDelivery; closeTo: string }) {
  const { formatDateTime } = useTimeFormats();
  const { event, eventId, state, attempts, lastStatus, lastError, createdAt, attemptedAt, body } = delivery;
  return (
    <Dialog title={event} closeTo={closeTo}>
      <div className="dialog-body stack">
        <DescriptionList
          facts={[
            { label: "Status", value: <WebhookDeliveryBadge state={state} attempts={attempts} /> },
            { label: "Attempts", value: String(attempts) },
            { label: "Event time", value: formatDateTime(createdAt) },
            { label: "Last attempt", value: attemptedAt ? formatDateTime(attemptedAt) : "None yet" },
            ...(lastStatus === null ? [] : [{ label: "Last response", value: String(lastStatus) }]),
            ...(lastError === null ? [] : [{ label: "Problem", value: lastError, wide: true }]),
            { label: "Event ID", value: <code className="wrap-anywhere">{eventId}</code>, wide: true },
          ]}
        />
        <CodeBlock label="Request body" code={body} />
      </div>
    </Dialog>
  );
}

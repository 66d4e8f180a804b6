import type { ListedWebhookDelivery } from "#app/domain/webhooks/list-webhook-deliveries.server.ts";
import { CodeBlock } from "#app/ui/code-block.tsx";
import { Dialog } from "#app/ui/dialog.tsx";
import { formatInstant } from "#app/ui/format.ts";
import { Facts } from "#app/ui/layout.tsx";
import { DeliveryBadge } from "./webhook-words.tsx";

/** All of a delivery: how it stands, and what is sent, byte for byte. */
export function DeliveryDialog({ delivery, closeTo }: { delivery: ListedWebhookDelivery; closeTo: string }) {
  const { event, eventId, state, attempts, lastStatus, lastError, createdAt, attemptedAt, body } = delivery;
  return (
    <Dialog title={event} closeTo={closeTo}>
      <div className="dialog-body stack">
        <Facts
          facts={[
            { label: "State", value: <DeliveryBadge state={state} attempts={attempts} /> },
            { label: "Tries", value: String(attempts) },
            { label: "Happened", value: formatInstant(createdAt) },
            { label: "Last try", value: attemptedAt ? formatInstant(attemptedAt) : "None yet" },
            ...(lastStatus === null ? [] : [{ label: "Last answer", value: String(lastStatus) }]),
            ...(lastError === null ? [] : [{ label: "Problem", value: lastError, wide: true }]),
            { label: "Event ID", value: <code className="wrap-anywhere">{eventId}</code>, wide: true },
          ]}
        />
        <CodeBlock label="What is sent" code={body} />
      </div>
    </Dialog>
  );
}

import { Form, Link } from "@remix-run/react";
import type { ListedWebhookDelivery } from "#app/domain/webhooks/list-webhook-deliveries.server.ts";
import { Button } from "#app/ui/button.tsx";
import { formatInstant } from "#app/ui/format.ts";
import { DataTable } from "#app/ui/table.tsx";
import { DeliveryBadge } from "./webhook-words.tsx";

type Row = Omit<ListedWebhookDelivery, "body">;

/** What was sent, or will be: each with how it stands, and the button that sends it again. */
export function DeliveryTable({ rows, page, canReplay }: { rows: readonly Row[]; page: string; canReplay: boolean }) {
  return (
    <DataTable
      caption="Deliveries"
      columns={[
        {
          head: "Event",
          wide: true,
          cell: ({ id, event }) => (
            <Link className="link" to={`${page}?delivery=${id}`} preventScrollReset>
              {event}
            </Link>
          ),
        },
        { head: "State", cell: (row) => <State {...row} /> },
        { head: "Answer", cell: ({ lastStatus }) => lastStatus ?? "–" },
        { head: "When", cell: ({ attemptedAt, createdAt }) => formatInstant(attemptedAt ?? createdAt) },
        {
          head: "Next try",
          cell: ({ nextTryAt, attempts }) => (nextTryAt ? (attempts > 0 ? formatInstant(nextTryAt) : "Now") : "–"),
        },
      ]}
      rows={rows}
      actions={({ id, event, state }) =>
        canReplay && state !== "sending" ? (
          <Form method="post" preventScrollReset>
            <input type="hidden" name="id" value={id} />
            <Button name="intent" value="replay" aria-label={`Send ${event} again`}>
              Send again
            </Button>
          </Form>
        ) : null
      }
    />
  );
}

/** The words of what went wrong, where the answer's status does not say it. */
function State({ state, attempts, lastStatus, lastError }: Row) {
  const isSaid = state === "delivered" || (lastStatus !== null && lastStatus >= 400);
  return (
    <>
      <DeliveryBadge state={state} attempts={attempts} />
      {lastError && !isSaid ? <p className="hint">{lastError}</p> : null}
    </>
  );
}

import type { ListedWebhookDelivery } from "#app/domain/webhooks/list-webhook-deliveries.server.ts";
import type { WebhookDeliverySort } from "#app/domain/webhooks/webhook.ts";
import { WebhookDeliveryBadge } from "#app/screens/shared/webhooks/webhook-badges.tsx";
import { Button } from "#app/ui/button.tsx";
import { Form } from "#app/ui/link.tsx";
import { DataTable } from "#app/ui/table/data-table.tsx";
import { RowTitle } from "#app/ui/table/row-title.tsx";
import { type ListSort, sortLink } from "#app/ui/table/sort-link.ts";
import { SortSelect } from "#app/ui/table/sort-select.tsx";
import { useTimeFormats } from "#app/ui/time/use-time-formats.ts";

const sortLabels: Record<WebhookDeliverySort, string> = {
  newest: "Newest event first",
  attempted: "Latest time first",
  attempted_first: "Earliest time first",
  response: "Highest response",
  next: "Next attempt first",
};

type Row = Omit<ListedWebhookDelivery, "body">;

/** The webhook's deliveries, sent and scheduled: each with its status and a button that sends it again. */
export function WebhookDeliveryTable({
  rows,
  list,
  page,
  canReplay,
}: {
  rows: readonly Row[];
  list: ListSort<WebhookDeliverySort>;
  page: string;
  canReplay: boolean;
}) {
  const { formatDateTime } = useTimeFormats();
  return (
    <DataTable
      caption="Deliveries"
      sortSelect={<SortSelect sort={list.sort} labels={sortLabels} />}
      columns={[
        {
          header: "Event",
          place: "title",
          cell: (row) => {
            const failure = describeFailure(row);
            const time = formatDateTime(row.attemptedAt ?? row.createdAt);
            return (
              <RowTitle
                name={row.event}
                to={`${page}?delivery=${row.id}`}
                preventScrollReset
                detail={failure}
                narrowDetail={time}
                narrowInstead={failure && time}
              />
            );
          },
        },
        {
          header: "Status",
          place: "status",
          width: 140,
          cell: ({ state, attempts }) => <WebhookDeliveryBadge state={state} attempts={attempts} />,
        },
        {
          header: "Response",
          sort: sortLink(list, { descending: "response" }),
          priority: 3,
          width: 104,
          cell: ({ lastStatus }) => lastStatus ?? "–",
        },
        {
          header: "Time",
          sort: sortLink(list, { descending: "attempted", ascending: "attempted_first" }),
          priority: 1,
          width: 210,
          cell: ({ attemptedAt, createdAt }) => formatDateTime(attemptedAt ?? createdAt),
        },
        {
          header: "Next attempt",
          sort: sortLink(list, { ascending: "next" }),
          priority: 2,
          width: 210,
          cell: ({ nextTryAt, attempts }) => (nextTryAt ? (attempts > 0 ? formatDateTime(nextTryAt) : "Now") : "–"),
        },
      ]}
      rows={rows}
      actions={({ id, event, state }) =>
        canReplay && state !== "sending" ? (
          <Form method="post" preventScrollReset>
            <input type="hidden" name="id" value={id} />
            <Button name="intent" value="replay" aria-label={`Resend ${event}`}>
              Resend
            </Button>
          </Form>
        ) : null
      }
      hasOneAction
    />
  );
}

/** Describes the failure if the response's status does not explain it. */
function describeFailure({ state, lastStatus, lastError }: Row): string | undefined {
  const isSaid = state === "delivered" || (lastStatus !== null && lastStatus >= 400);
  return (!isSaid && lastError) || undefined;
}

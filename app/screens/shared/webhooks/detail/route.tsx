import type { ActionFunctionArgs, LoaderFunctionArgs, MetaFunction } from "@remix-run/node";
import { useLoaderData } from "@remix-run/react";
import { z } from "zod";
import { pageTitle } from "#app/domain/branding.ts";
import { parseId, type WebhookDeliveryId, type WebhookId } from "#app/domain/ids.ts";
import { inSnapshot } from "#app/domain/transaction.server.ts";
import { getWebhookDelivery, listWebhookDeliveries } from "#app/domain/webhooks/list-webhook-deliveries.server.ts";
import { getWebhook } from "#app/domain/webhooks/list-webhooks.server.ts";
import { type WebhookDeliverySort, webhookDeliverySorts } from "#app/domain/webhooks/webhook.ts";
import { webhookEventsFor } from "#app/domain/webhooks/webhook-events.ts";
import { env } from "#app/env.server.ts";
import { portalHref } from "#app/portal/portal-href.ts";
import { requireCurrentPortalAccess } from "#app/portal/require-portal-access.server.ts";
import { ConfirmDialog } from "#app/screens/shared/forms/confirm-dialog.tsx";
import { PollWhile } from "#app/screens/shared/forms/poll-while.tsx";
import { urlWithoutScheme, WebhookBadge } from "#app/screens/shared/webhooks/webhook-badges.tsx";
import { Button, LinkButton } from "#app/ui/button.tsx";
import { useFormResponse } from "#app/ui/form/use-form-response.ts";
import { Form } from "#app/ui/link.tsx";
import { ErrorSummary, Notice, toSummaryErrors } from "#app/ui/notice.tsx";
import { Breadcrumbs, Card, EmptyState, PageHeader } from "#app/ui/page-header.tsx";
import { listQuery } from "#app/ui/table/list-query.ts";
import { Pagination } from "#app/ui/table/pagination.tsx";
import { useTimeFormats } from "#app/ui/time/use-time-formats.ts";
import { orThrow404, requireIdParam } from "#app/web/not-found.server.ts";
import { cursorParam, pageOrFirstPage, parseSearchParams } from "#app/web/search-params.server.ts";
import { WebhookDeliveryDialog } from "./delivery-dialog.tsx";
import { WebhookDeliveryTable } from "./delivery-table.tsx";
import { RotatedSecret, RotateSecretDialog, SecretOverlap } from "./rotate-secret.tsx";
import { handleWebhookAction } from "./webhook-actions.server.ts";

const pageSize = 25;
const searchSchema = z.object({
  sort: z.enum(webhookDeliverySorts).catch("newest"),
  cursor: cursorParam,
  delivery: z.string().optional().catch(undefined),
  ask: z.enum(["remove", "rotate-secret"]).optional().catch(undefined),
});

/** `delivery` is the delivery being viewed, `ask` the action being confirmed. */
export async function loader({ request, params, context }: LoaderFunctionArgs) {
  const { ctx, base } = await requireCurrentPortalAccess(request, context);
  const webhookId = requireIdParam<WebhookId>(params.id);
  const { sort, cursor, delivery, ask } = parseSearchParams(request, searchSchema);
  const id = parseId<WebhookDeliveryId>(delivery);
  const [webhook, page, opened] = await inSnapshot(ctx, async (tx) => {
    const list = (query: { limit: number; cursor?: string }) =>
      listWebhookDeliveries(tx, { ...query, sort, webhookId });
    return [
      await orThrow404(getWebhook(tx, webhookId)),
      await pageOrFirstPage(list, { limit: pageSize, cursor }),
      id && (await orThrow404(getWebhookDelivery(tx, id))),
    ];
  });
  const chosen = webhookEventsFor(ctx.actor.kind).filter(({ name }) => webhook.events.includes(name));
  const rows = page.rows.map(({ body: _body, ...row }) => row);
  const keptDays = env().retentionDays.webhookDeliveries;
  const idempotencyKey = crypto.randomUUID();
  return { base, webhook, chosen, sort, ...page, rows, keptDays, opened, ask, idempotencyKey };
}

export async function action({ request, params, context }: ActionFunctionArgs) {
  const { ctx, base } = await requireCurrentPortalAccess(request, context);
  return handleWebhookAction(ctx, { request, id: requireIdParam<WebhookId>(params.id), base });
}

export default function WebhookDetails() {
  const { formatDateTime } = useTimeFormats();
  const { base, webhook, chosen, sort, rows, keptDays, opened, ask, idempotencyKey, nextCursor, previousCursor } =
    useLoaderData<typeof loader>();
  const response = useFormResponse<typeof action>();
  const rotated = response && "rotated" in response ? response.rotated : undefined;
  const rejected = response && !("rotated" in response) ? response : undefined;
  const page = portalHref(base, `/webhooks/${webhook.id}`);
  const pageHref = (cursor: string | null) => (cursor ? listQuery({ sort, cursor }) : undefined);
  const sorted = { sort, href: (by: WebhookDeliverySort) => listQuery({ sort: by }) };
  const isActive = webhook.state === "active";
  const { host } = new URL(webhook.url);
  return (
    <>
      <PollWhile running={!opened && !ask && rows.some(isUnderWay)} />
      <Breadcrumbs
        trail={[
          { to: portalHref(base, "/profile"), label: "Profile" },
          { to: portalHref(base, "/webhooks"), label: "Webhooks" },
        ]}
        here={host}
      />
      <PageHeader
        title={
          <>
            {host} <WebhookBadge state={webhook.state} />
          </>
        }
        subtitle={`${webhook.url} · Added ${formatDateTime(webhook.createdAt)}`}
        actions={
          <>
            <LinkButton to={`${page}?ask=remove`} icon="trash" preventScrollReset>
              Remove webhook
            </LinkButton>
            <LinkButton to={`${page}?ask=rotate-secret`} icon="key-round" preventScrollReset>
              Rotate secret
            </LinkButton>
            {isActive ? (
              <Form method="post">
                <Button name="intent" value="test" variant="primary" icon="send">
                  Send test event
                </Button>
              </Form>
            ) : null}
          </>
        }
      />
      <div className="stack">
        <ErrorSummary errors={toSummaryErrors(ask ? undefined : rejected?.error)} />
        {rotated ? <RotatedSecret to={response} secret={rotated.secret} /> : null}
        {isActive ? null : <SwitchedOff />}
        {webhook.previousSecretExpiresAt ? <SecretOverlap until={webhook.previousSecretExpiresAt} /> : null}
        <Card title="Deliveries" flush>
          {rows.length === 0 ? (
            <EmptyState icon="send" title="No events sent yet">
              Events and their delivery results appear here. Send a test event to try your endpoint.
            </EmptyState>
          ) : (
            <>
              <WebhookDeliveryTable rows={rows} list={sorted} page={page} canReplay={isActive} />
              <Pagination
                shown={`${rows.length} shown. Deliveries are kept for ${keptDays} days.`}
                previous={pageHref(previousCursor)}
                next={pageHref(nextCursor)}
              />
            </>
          )}
        </Card>
        <Card title="Subscribed events">
          <ul className="stack-sm">
            {chosen.map(({ name, label }) => (
              <li key={name}>
                {label} <code className="hint">{name}</code>
              </li>
            ))}
          </ul>
        </Card>
      </div>
      {opened ? <WebhookDeliveryDialog delivery={opened} closeTo={page} /> : null}
      {ask === "rotate-secret" && !rotated ? (
        <RotateSecretDialog
          closeTo={page}
          rejected={rejected}
          idempotencyKey={idempotencyKey}
          isRotatedAgain={webhook.previousSecretExpiresAt !== null}
        />
      ) : null}
      {ask === "remove" ? (
        <ConfirmDialog
          title="Remove this webhook?"
          closeTo={page}
          rejected={rejected}
          keep="Keep webhook"
          act={{ intent: "remove", label: "Remove webhook" }}
        >
          We stop sending events to {urlWithoutScheme(webhook.url)}, including pending ones, and delete its delivery
          history. You can't undo this.
        </ConfirmDialog>
      ) : null}
    </>
  );
}

/** Whether the delivery will change within seconds; one that is scheduled hours ahead does not count. */
function isUnderWay({ state, attempts }: { state: string; attempts: number }): boolean {
  return state === "sending" || (state === "waiting" && attempts === 0);
}

function SwitchedOff() {
  return (
    <Notice tone="bad" title="This webhook is disabled">
      <Form method="post" className="stack-sm">
        <p>
          Three events in a row failed. Fix your endpoint, then enable the webhook. Events that happen until then are
          not sent.
        </p>
        <Button name="intent" value="enable" icon="power">
          Enable webhook
        </Button>
      </Form>
    </Notice>
  );
}

export const meta: MetaFunction<typeof loader> = ({ data }) => [
  { title: pageTitle(data ? `${new URL(data.webhook.url).host} · Webhooks` : "Webhooks") },
];

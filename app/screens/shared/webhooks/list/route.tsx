import { type ActionFunctionArgs, data, type LoaderFunctionArgs, type MetaFunction } from "@remix-run/node";
import { useLoaderData } from "@remix-run/react";
import { appName, pageTitle } from "#app/domain/branding.ts";
import { createIdempotently } from "#app/domain/idempotency/create-idempotently.server.ts";
import { pageLimits } from "#app/domain/page.ts";
import { checkWebhookUrl, createWebhook } from "#app/domain/webhooks/create-webhook.server.ts";
import { listWebhooks } from "#app/domain/webhooks/list-webhooks.server.ts";
import { webhookEventsFor } from "#app/domain/webhooks/webhook-events.ts";
import { portalHref } from "#app/portal/portal-href.ts";
import { requireCurrentPortalAccess } from "#app/portal/require-portal-access.server.ts";
import { urlWithoutScheme, WebhookBadge } from "#app/screens/shared/webhooks/webhook-badges.tsx";
import { newWebhookFormSchema } from "#app/screens/shared/webhooks/webhook-form-schemas.ts";
import { useFormResponse } from "#app/ui/form/use-form-response.ts";
import { pluralize } from "#app/ui/format.ts";
import { Breadcrumbs, Card, EmptyState, PageHeader } from "#app/ui/page-header.tsx";
import { DataTable } from "#app/ui/table/data-table.tsx";
import { RowTitle } from "#app/ui/table/row-title.tsx";
import { useTimeFormats } from "#app/ui/time/use-time-formats.ts";
import { handleForm } from "#app/web/forms/form.server.ts";
import { checksOf } from "#app/web/forms/form-checks.server.ts";
import { CreatedWebhook, NewWebhookForm } from "./new-webhook-form.tsx";

export async function loader({ request, context }: LoaderFunctionArgs) {
  const { ctx, base } = await requireCurrentPortalAccess(request, context);
  const { rows } = await listWebhooks(ctx, { limit: pageLimits.max });
  return {
    base,
    webhooks: rows,
    events: webhookEventsFor(ctx.actor.kind),
    idempotencyKey: crypto.randomUUID(),
    checks: checksOf(newWebhookFormSchema),
  };
}

/** The response that creates a webhook shows its secret, because no later page could. */
export async function action({ request, context }: ActionFunctionArgs) {
  const { ctx } = await requireCurrentPortalAccess(request, context);
  return handleForm(request, newWebhookFormSchema, async ({ idempotency_key: key, ...values }) => {
    // Before the transaction, which must not wait for the name's servers.
    await checkWebhookUrl(values);
    let secret: string | undefined;
    await createIdempotently(ctx, { key, values, kind: "webhooks" }, async (once) => {
      const created = await createWebhook(once, values);
      secret = created.secret;
      return created.webhook;
    });
    return data({ created: { url: values.url, secret } }, { headers: { "Cache-Control": "no-store" } });
  });
}

export default function Webhooks() {
  const { formatDateTime } = useTimeFormats();
  const { base, webhooks, events, idempotencyKey, checks } = useLoaderData<typeof loader>();
  const response = useFormResponse<typeof action>();
  const created = response && "created" in response ? response.created : undefined;
  const rejected = response && !("created" in response) ? response : undefined;
  const pageOf = (id: string) => portalHref(base, `/webhooks/${id}`);
  return (
    <>
      <Breadcrumbs trail={[{ to: portalHref(base, "/profile"), label: "Profile" }]} here="Webhooks" />
      <PageHeader title="Webhooks" subtitle="Send events to your systems as they happen" />
      <div className="stack">
        {created ? <CreatedWebhook {...created} /> : null}
        <Card title="Your webhooks" flush>
          {webhooks.length === 0 ? (
            <EmptyState icon="webhook" title="No webhooks yet">
              Add an endpoint URL and choose which events {appName} sends to it.
            </EmptyState>
          ) : (
            <DataTable
              caption="Webhooks"
              columns={[
                {
                  header: "Endpoint URL",
                  place: "title",
                  cell: ({ id, url, events: { length } }) => (
                    <RowTitle name={urlWithoutScheme(url)} to={pageOf(id)} narrowDetail={pluralize(length, "event")} />
                  ),
                },
                { header: "Status", place: "status", cell: ({ state }) => <WebhookBadge state={state} /> },
                { header: "Events", priority: 1, cell: (webhook) => pluralize(webhook.events.length, "event") },
                { header: "Added", priority: 2, width: 210, cell: ({ createdAt }) => formatDateTime(createdAt) },
              ]}
              rows={webhooks}
            />
          )}
        </Card>
        <div className="main-and-aside">
          <NewWebhookForm
            key={created?.secret ?? "new"}
            events={events}
            rejected={rejected}
            checks={checks}
            idempotencyKey={idempotencyKey}
          />
          <HowItWorks />
        </div>
      </div>
    </>
  );
}

function HowItWorks() {
  return (
    <Card title="How it works">
      <ul className="list-disc pl-5 stack-sm">
        <li>Each event is a POST request with a JSON body. It never contains personal data.</li>
        <li>Each request is signed with the webhook's secret so your server can verify it.</li>
        <li>Respond with any 2xx status within 5 seconds. Otherwise we try again, up to seven times within a day.</li>
        <li>An event can arrive more than once. Use its ID to detect duplicates.</li>
        <li>
          After three failed events in a row, we disable the webhook and notify you. Events that happen until you enable
          it again are not sent.
        </li>
      </ul>
    </Card>
  );
}

export const meta: MetaFunction = () => [{ title: pageTitle("Webhooks") }];

import { type ActionFunctionArgs, data, type LoaderFunctionArgs, type MetaFunction } from "@remix-run/node";
import { Link, useActionData, useLoaderData } from "@remix-run/react";
import { Webhook } from "lucide-react";
import { createOnce } from "#app/domain/idempotency/create-once.server.ts";
import { pageLimits } from "#app/domain/page.ts";
import { pageTitle, productName } from "#app/domain/product.ts";
import { createWebhook } from "#app/domain/webhooks/create-webhook.server.ts";
import { listWebhooks } from "#app/domain/webhooks/list-webhooks.server.ts";
import { webhookEventsFor } from "#app/domain/webhooks/webhook-events.ts";
import { enterThisPortal } from "#app/portal/enter-portal.server.ts";
import { portalHref } from "#app/portal/href.ts";
import { formatInstant, formatNumberOf } from "#app/ui/format.ts";
import { Breadcrumbs, Card, EmptyState, PageHeader } from "#app/ui/layout.tsx";
import { DataTable } from "#app/ui/table.tsx";
import { submitForm } from "#app/web/form.server.ts";
import { checksOf } from "#app/web/form-checks.server.ts";
import { CreatedWebhook, NewWebhookForm } from "./new-webhook-form.tsx";
import { newWebhookForm } from "./webhook-forms.ts";
import { shortUrl, WebhookBadge } from "./webhook-words.tsx";

export async function loader({ request, context }: LoaderFunctionArgs) {
  const { ctx, base } = await enterThisPortal(request, context);
  const { rows } = await listWebhooks(ctx, { limit: pageLimits.max });
  return {
    base,
    webhooks: rows,
    events: webhookEventsFor(ctx.actor.kind),
    formKey: crypto.randomUUID(),
    checks: checksOf(newWebhookForm),
  };
}

/** The answer that makes a webhook shows its secret: there is no page to go to that could. */
export async function action({ request, context }: ActionFunctionArgs) {
  const { ctx } = await enterThisPortal(request, context);
  return submitForm(request, newWebhookForm, async ({ idempotency_key: key, ...values }) => {
    let secret: string | undefined;
    await createOnce(ctx, { key, values }, async (once) => {
      const made = await createWebhook(once, values);
      secret = made.secret;
      return made.webhook;
    });
    return data({ created: { url: values.url, secret } }, { headers: { "Cache-Control": "no-store" } });
  });
}

export default function Webhooks() {
  const { base, webhooks, events, formKey, checks } = useLoaderData<typeof loader>();
  const answer = useActionData<typeof action>();
  const created = answer && "created" in answer ? answer.created : undefined;
  const refused = answer && !("created" in answer) ? answer : undefined;
  const pageOf = (id: string) => portalHref(base, `/webhooks/${id}`);
  return (
    <>
      <Breadcrumbs trail={[{ to: portalHref(base, "/profile"), label: "Profile" }]} here="Webhooks" />
      <PageHeader title="Webhooks" subtitle="What happens, told to your own programs as it happens" />
      <div className="stack">
        {created ? <CreatedWebhook {...created} /> : null}
        <Card title="Your webhooks" flush>
          {webhooks.length === 0 ? (
            <EmptyState icon={Webhook} title="No webhooks yet">
              Add the address of a server of yours, and {productName} sends it the events that you choose.
            </EmptyState>
          ) : (
            <DataTable
              caption="Webhooks"
              columns={[
                {
                  head: "Address",
                  wide: true,
                  cell: ({ id, url }) => (
                    <Link className="link font-semibold wrap-anywhere" to={pageOf(id)} prefetch="intent">
                      {shortUrl(url)}
                    </Link>
                  ),
                },
                { head: "State", cell: ({ state }) => <WebhookBadge state={state} /> },
                { head: "Events", cell: (webhook) => formatNumberOf(webhook.events.length, "event") },
                { head: "Added", cell: ({ createdAt }) => formatInstant(createdAt) },
              ]}
              rows={webhooks}
            />
          )}
        </Card>
        <div className="split">
          <NewWebhookForm
            key={created ? formKey : "new"}
            events={events}
            refused={refused}
            checks={checks}
            formKey={formKey}
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
      <ul className="list-disc pl-5 stack-small">
        <li>Each event is a POST with JSON: what happened and to which campaign, never anything of a person.</li>
        <li>It is signed with the webhook's secret, so that your server can tell it from a forged one.</li>
        <li>Any 2xx answer within 5 seconds is a yes. Else it is tried again, eight times within a day.</li>
        <li>The same event may come twice: its id is the same then.</li>
        <li>After three events in a row that were not taken, the webhook is switched off and you are told.</li>
      </ul>
    </Card>
  );
}

export const meta: MetaFunction = () => [{ title: pageTitle("Webhooks") }];

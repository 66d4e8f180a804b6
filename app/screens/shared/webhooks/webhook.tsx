import type { ActionFunctionArgs, LoaderFunctionArgs, MetaFunction } from "@remix-run/node";
import { Form, useActionData, useLoaderData } from "@remix-run/react";
import { Power, Send, Trash2 } from "lucide-react";
import { z } from "zod";
import { parseId, type WebhookDeliveryId, type WebhookId } from "#app/domain/ids.ts";
import { pageTitle } from "#app/domain/product.ts";
import { getWebhookDelivery, listWebhookDeliveries } from "#app/domain/webhooks/list-webhook-deliveries.server.ts";
import { getWebhook } from "#app/domain/webhooks/list-webhooks.server.ts";
import { webhookEventsFor } from "#app/domain/webhooks/webhook-events.ts";
import { enterThisPortal } from "#app/portal/enter-portal.server.ts";
import { portalHref } from "#app/portal/href.ts";
import { RefreshWhile } from "#app/screens/shared/refresh-while.tsx";
import { Button, LinkButton } from "#app/ui/button.tsx";
import { formatInstant } from "#app/ui/format.ts";
import { Breadcrumbs, Card, EmptyState, PageHeader } from "#app/ui/layout.tsx";
import { ErrorSummary, Notice, summaryOf } from "#app/ui/notice.tsx";
import { Pagination } from "#app/ui/table.tsx";
import { idInAddress, orNotFoundPage } from "#app/web/not-found.server.ts";
import { cursorParam, pageOrFirst, readSearch } from "#app/web/search-params.server.ts";
import { DeliveryDialog } from "./delivery-dialog.tsx";
import { DeliveryTable } from "./delivery-table.tsx";
import { RemoveWebhookDialog } from "./remove-webhook-dialog.tsx";
import { steerWebhook } from "./steer-webhook.server.ts";
import { shortUrl, WebhookBadge } from "./webhook-words.tsx";

const pageSize = 25;
const searchSchema = z.object({
  cursor: cursorParam,
  delivery: z.string().optional().catch(undefined),
  ask: z.enum(["remove"]).optional().catch(undefined),
});

/** `delivery` is the one that is looked at, `ask` what is asked about. */
export async function loader({ request, params, context }: LoaderFunctionArgs) {
  const { ctx, base } = await enterThisPortal(request, context);
  const webhookId = idInAddress<WebhookId>(params.id);
  const { cursor, delivery, ask } = readSearch(request, searchSchema);
  const webhook = await orNotFoundPage(getWebhook(ctx, webhookId));
  const list = (asked: { limit: number; cursor?: string }) => listWebhookDeliveries(ctx, { ...asked, webhookId });
  const page = await pageOrFirst(list, { limit: pageSize, cursor });
  const id = parseId<WebhookDeliveryId>(delivery);
  const opened = id && (await orNotFoundPage(getWebhookDelivery(ctx, id)));
  const chosen = webhookEventsFor(ctx.actor.kind).filter(({ name }) => webhook.events.includes(name));
  const rows = page.rows.map(({ body: _body, ...row }) => row);
  return { base, webhook, chosen, ...page, rows, opened, ask };
}

export async function action({ request, params, context }: ActionFunctionArgs) {
  const { ctx, base } = await enterThisPortal(request, context);
  return steerWebhook(ctx, { request, id: idInAddress<WebhookId>(params.id), base });
}

export default function OneWebhook() {
  const { base, webhook, chosen, rows, opened, ask, nextCursor, previousCursor } = useLoaderData<typeof loader>();
  const refused = useActionData<typeof action>();
  const page = portalHref(base, `/webhooks/${webhook.id}`);
  const pageHref = (cursor: string | null) => (cursor ? `?${new URLSearchParams({ cursor })}` : undefined);
  const isActive = webhook.state === "active";
  return (
    <>
      <RefreshWhile running={!opened && !ask && rows.some(isUnderWay)} />
      <Breadcrumbs
        trail={[
          { to: portalHref(base, "/profile"), label: "Profile" },
          { to: portalHref(base, "/webhooks"), label: "Webhooks" },
        ]}
        here={new URL(webhook.url).host}
      />
      <PageHeader
        title={
          <>
            <span className="wrap-anywhere">{shortUrl(webhook.url)}</span> <WebhookBadge state={webhook.state} />
          </>
        }
        subtitle={`Added ${formatInstant(webhook.createdAt)}`}
        actions={
          <>
            {isActive ? (
              <Form method="post">
                <Button name="intent" value="test" variant="primary" icon={Send}>
                  Send a test
                </Button>
              </Form>
            ) : null}
            <LinkButton to={`${page}?ask=remove`} icon={Trash2} preventScrollReset>
              Remove
            </LinkButton>
          </>
        }
      />
      <div className="stack">
        <ErrorSummary errors={summaryOf(refused?.error)} />
        {isActive ? null : <SwitchedOff />}
        <Card title="Deliveries" flush>
          {rows.length === 0 ? (
            <EmptyState icon={Send} title="Nothing was sent yet">
              Each event that you chose is listed here, with what came of it. Send a test to try your server out.
            </EmptyState>
          ) : (
            <>
              <DeliveryTable rows={rows} page={page} canReplay={isActive} />
              <Pagination
                shown={`${rows.length} shown, kept for 30 days`}
                previous={pageHref(previousCursor)}
                next={pageHref(nextCursor)}
              />
            </>
          )}
        </Card>
        <Card title="Events that are sent">
          <ul className="stack-small">
            {chosen.map(({ name, label }) => (
              <li key={name}>
                {label} <code className="hint">{name}</code>
              </li>
            ))}
          </ul>
        </Card>
      </div>
      {opened ? <DeliveryDialog delivery={opened} closeTo={page} /> : null}
      {ask ? <RemoveWebhookDialog url={webhook.url} closeTo={page} /> : null}
    </>
  );
}

/** Whether something will change within seconds: what waits for hours does not. */
function isUnderWay({ state, attempts }: { state: string; attempts: number }): boolean {
  return state === "sending" || (state === "waiting" && attempts === 0);
}

function SwitchedOff() {
  return (
    <Notice tone="bad" title="Nothing is sent to this webhook">
      <Form method="post" className="stack-small">
        <p>It did not take three events in a row. When your server is well again, switch it on.</p>
        <Button name="intent" value="enable" icon={Power}>
          Switch on again
        </Button>
      </Form>
    </Notice>
  );
}

export const meta: MetaFunction<typeof loader> = ({ data }) => [
  { title: pageTitle(data ? `${new URL(data.webhook.url).host} · Webhooks` : "Webhooks") },
];

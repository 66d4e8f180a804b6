import type { ActionFunctionArgs, LoaderFunctionArgs, MetaFunction } from "@remix-run/node";
import { useLoaderData, useNavigation } from "@remix-run/react";
import { pageTitle } from "#app/domain/branding.ts";
import { getStore } from "#app/domain/catalog/stores/list-stores.server.ts";
import {
  alreadySyncing,
  describeStoreProblem,
  storeKindLabels,
  uploadStoreInParts,
} from "#app/domain/catalog/stores/store.ts";
import type { StoreId } from "#app/domain/ids.ts";
import { portalHref } from "#app/portal/portal-href.ts";
import { requireCurrentPortalAccess } from "#app/portal/require-portal-access.server.ts";
import { FocusOnChange } from "#app/screens/shared/forms/focus-on-change.tsx";
import { PollWhile } from "#app/screens/shared/forms/poll-while.tsx";
import { storeActionSchema } from "#app/screens/shared/products/stores/store-form-schemas.ts";
import { StoreSettingsFields } from "#app/screens/shared/products/stores/store-settings-fields.tsx";
import { LastSync, StoreStatusBadge } from "#app/screens/shared/products/stores/store-status.tsx";
import { BrandMark } from "#app/ui/brand-mark.tsx";
import { Button, LinkButton } from "#app/ui/button.tsx";
import { FormSummary } from "#app/ui/form/form-summary.tsx";
import { rejectionOf } from "#app/ui/form/form-values.ts";
import { useCheckedForm } from "#app/ui/form/use-checked-form.ts";
import { useFormResponse } from "#app/ui/form/use-form-response.ts";
import { Form, Link } from "#app/ui/link.tsx";
import { ErrorSummary, Notice, toSummaryErrors } from "#app/ui/notice.tsx";
import { Breadcrumbs, Card, DescriptionList, PageHeader } from "#app/ui/page-header.tsx";
import { useTimeFormats } from "#app/ui/time/use-time-formats.ts";
import { checksOf } from "#app/web/forms/form-checks.server.ts";
import { orThrow404, requireIdParam } from "#app/web/not-found.server.ts";
import { handleStoreAction } from "./store-actions.server.ts";

export async function loader({ request, params, context }: LoaderFunctionArgs) {
  const { ctx, base } = await requireCurrentPortalAccess(request, context);
  const store = await orThrow404(getStore(ctx, requireIdParam<StoreId>(params.id)));
  return { base, store, checks: checksOf(storeActionSchema, { intent: "save" }) };
}

export async function action({ request, params, context }: ActionFunctionArgs) {
  const { ctx, base } = await requireCurrentPortalAccess(request, context);
  return handleStoreAction(ctx, { request, id: requireIdParam<StoreId>(params.id), base });
}

/** A sync that was not started because one is running: the page loads its data again, and then shows that one. */
export function shouldRevalidate() {
  return true;
}

export default function ConnectedStore() {
  const { base, store, checks } = useLoaderData<typeof loader>();
  const rejected = useFormResponse<typeof action>();
  const notSaved = rejectionOf(rejected, "save");
  const stored = { frequency: store.frequency, default_category: store.defaultCategory };
  const { fields, ...form } = useCheckedForm({ checks, rejected: notSaved, stored });
  const derives = notSaved ? fields.values.derive_sku === "on" : store.deriveSku;
  const intent = useNavigation().formData?.get("intent");
  const isRunning = store.last?.status === "running";
  // The response stays while the page's data is loaded again; it holds until the sync that was running has ended.
  const isOver = !isRunning && rejected?.error?.[""]?.includes(alreadySyncing);
  const notSynced = notSaved || isOver ? undefined : rejected;
  return (
    <>
      <PollWhile running={isRunning} />
      <Breadcrumbs
        trail={[
          { to: portalHref(base, "/products"), label: "Product Catalog" },
          { to: portalHref(base, "/products/upload"), label: "Upload Products" },
        ]}
        here={store.name}
      />
      <PageHeader
        title={
          <>
            {store.name} <StoreStatusBadge store={store} />
          </>
        }
        subtitle={
          <>
            <BrandMark brand={store.kind} />
            {`${storeKindLabels[store.kind]}, ${store.storeUrl}`}
          </>
        }
        actions={
          <Form method="post">
            <Button
              name="intent"
              value="sync"
              variant="primary"
              icon="refresh-cw"
              busy={isRunning || intent === "sync"}
              busyLabel="Syncing..."
            >
              Sync now
            </Button>
          </Form>
        }
      />
      <div className="stack">
        <FocusOnChange to={notSynced}>
          <ErrorSummary errors={toSummaryErrors(notSynced?.error)} title="The sync was not started" />
        </FocusOnChange>
        <FormSummary {...form.summary} />
        {store.problem ? (
          <Notice tone={isRunning ? "warn" : "bad"} title={`${store.name} ${describeStoreProblem(store.problem)}`}>
            {isRunning
              ? "The sync resumes automatically where it stopped."
              : store.problem === "too_large"
                ? uploadStoreInParts
                : "Check the store and its key. Reconnect it to replace the credentials."}
          </Notice>
        ) : null}
        <div className="main-and-aside">
          <Card title="Settings">
            <Form method="post" {...form.props} className="form-grid">
              <StoreSettingsFields {...fields} derivesSku={derives} />
              <div className="actions">
                <Button name="intent" value="save" variant="primary" busy={intent === "save"} busyLabel="Saving...">
                  Save
                </Button>
              </div>
            </Form>
          </Card>
          <div className="stack">
            <SyncFacts />
            <Card title="Disconnect">
              <div className="form-grid">
                <p>This deletes the credentials and stops syncing. Products stay in your catalog.</p>
                <div className="actions">
                  <LinkButton to={portalHref(base, `/products/stores/${store.id}/disconnect`)} icon="unplug">
                    Disconnect
                  </LinkButton>
                  <LinkButton to={portalHref(base, `/products/stores/connect?kind=${store.kind}&store=${store.id}`)}>
                    Reconnect
                  </LinkButton>
                </div>
              </div>
            </Card>
          </div>
        </div>
      </div>
    </>
  );
}

function SyncFacts() {
  const { formatDateTime } = useTimeFormats();
  const { base, store } = useLoaderData<typeof loader>();
  return (
    <Card title="Last sync">
      <DescriptionList
        facts={[
          { label: "Result", value: <LastSync store={store} />, wide: true },
          { label: "Last checked", value: formatDateTime(store.checkedAt) },
          { label: "Next sync", value: store.nextSyncAt ? formatDateTime(store.nextSyncAt) : "Manual" },
          ...(store.last
            ? [
                {
                  label: "Report",
                  value: (
                    <Link className="link" to={portalHref(base, `/products/imports/${store.last.id}`)}>
                      View report
                    </Link>
                  ),
                },
              ]
            : []),
        ]}
      />
    </Card>
  );
}

export const meta: MetaFunction<typeof loader> = ({ data }) => [
  { title: pageTitle(`${data?.store.name ?? "Store"} · Product Catalog`) },
];

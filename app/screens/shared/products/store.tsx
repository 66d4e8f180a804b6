import type { ActionFunctionArgs, LoaderFunctionArgs, MetaFunction } from "@remix-run/node";
import { Form, Link, useActionData, useLoaderData, useNavigation } from "@remix-run/react";
import { RefreshCw, Unplug } from "lucide-react";
import { getStore } from "#app/domain/catalog/stores/list-stores.server.ts";
import { storeKindLabels, wordsOfStoreProblem } from "#app/domain/catalog/stores/store.ts";
import type { StoreId } from "#app/domain/ids.ts";
import { pageTitle } from "#app/domain/product.ts";
import { enterThisPortal } from "#app/portal/enter-portal.server.ts";
import { portalHref } from "#app/portal/href.ts";
import { RefreshWhile } from "#app/screens/shared/refresh-while.tsx";
import { Button, LinkButton } from "#app/ui/button.tsx";
import { FormSummary } from "#app/ui/form/form-summary.tsx";
import { useCheckedForm } from "#app/ui/form/use-checked-form.ts";
import { formatInstant } from "#app/ui/format.ts";
import { Breadcrumbs, Card, Facts, PageHeader } from "#app/ui/layout.tsx";
import { Notice } from "#app/ui/notice.tsx";
import { checksOf } from "#app/web/form-checks.server.ts";
import { idInAddress, orNotFoundPage } from "#app/web/not-found.server.ts";
import { steerStore } from "./steer-store.server.ts";
import { StoreSettingsFields } from "./store-fields.tsx";
import { storeForms } from "./store-forms.ts";
import { LastSync, StoreBadge } from "./store-words.tsx";

export async function loader({ request, params, context }: LoaderFunctionArgs) {
  const { ctx, base } = await enterThisPortal(request, context);
  const store = await orNotFoundPage(getStore(ctx, idInAddress<StoreId>(params.id)));
  return { base, store, checks: checksOf(storeForms, { intent: "save" }) };
}

export async function action({ request, params, context }: ActionFunctionArgs) {
  const { ctx, base } = await enterThisPortal(request, context);
  return steerStore(ctx, { request, id: idInAddress<StoreId>(params.id), base });
}

export default function ConnectedStore() {
  const { base, store, checks } = useLoaderData<typeof loader>();
  const refused = useActionData<typeof action>();
  const stored = { frequency: store.frequency, default_category: store.defaultCategory };
  const { fields, ...form } = useCheckedForm({ checks, refused, stored });
  const derives = refused ? fields.values.derive_sku === "on" : store.deriveSku;
  const intent = useNavigation().formData?.get("intent");
  const isRunning = store.last?.status === "running";
  return (
    <>
      <RefreshWhile running={isRunning} />
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
            {store.name} <StoreBadge store={store} />
          </>
        }
        subtitle={`${storeKindLabels[store.kind]}, ${store.shopUrl}`}
        actions={
          <Form method="post">
            <Button
              name="intent"
              value="sync"
              variant="primary"
              icon={RefreshCw}
              busy={isRunning || intent === "sync"}
              busyLabel="Syncing..."
            >
              Sync now
            </Button>
          </Form>
        }
      />
      <div className="stack">
        <FormSummary {...form.summary} />
        {store.problem ? (
          <Notice tone={isRunning ? "warn" : "bad"} title={`${store.name} ${wordsOfStoreProblem(store.problem)}`}>
            {isRunning
              ? "The sync goes on by itself, from where it stopped."
              : "Check the shop and its key. Connecting it again replaces the credentials."}
          </Notice>
        ) : null}
        <div className="split">
          <Card title="Settings">
            <Form method="post" {...form.props} className="form-grid">
              <StoreSettingsFields {...fields} derivesSku={derives} />
              <div className="actions justify-end">
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
                <p>Its credentials are forgotten and nothing is fetched any more. The products stay in your catalog.</p>
                <div className="actions">
                  <LinkButton to={portalHref(base, `/products/stores/${store.id}/disconnect`)} icon={Unplug}>
                    Disconnect
                  </LinkButton>
                  <LinkButton to={portalHref(base, `/products/stores/connect?kind=${store.kind}`)}>
                    Connect again
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
  const { base, store } = useLoaderData<typeof loader>();
  return (
    <Card title="Last sync">
      <Facts
        facts={[
          { label: "Result", value: <LastSync store={store} />, wide: true },
          { label: "Last contact", value: formatInstant(store.checkedAt) },
          { label: "Next sync", value: store.nextSyncAt ? formatInstant(store.nextSyncAt) : "By hand" },
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

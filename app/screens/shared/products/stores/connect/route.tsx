import type { ActionFunctionArgs, LoaderFunctionArgs, MetaFunction } from "@remix-run/node";
import { useLoaderData } from "@remix-run/react";
import { pageTitle } from "#app/domain/branding.ts";
import { connectStore } from "#app/domain/catalog/stores/connect-store.server.ts";
import { listStores, type Store } from "#app/domain/catalog/stores/list-stores.server.ts";
import { type StoreKind, storeKindLabels, storeKinds } from "#app/domain/catalog/stores/store.ts";
import { syncStore } from "#app/domain/catalog/stores/sync-store.server.ts";
import { DomainError } from "#app/domain/errors.ts";
import { parseId, type StoreId } from "#app/domain/ids.ts";
import { portalHref } from "#app/portal/portal-href.ts";
import { requireCurrentPortalAccess } from "#app/portal/require-portal-access.server.ts";
import { connectStoreSchema } from "#app/screens/shared/products/stores/store-form-schemas.ts";
import { StoreSettingsFields } from "#app/screens/shared/products/stores/store-settings-fields.tsx";
import { BrandMark } from "#app/ui/brand-mark.tsx";
import { Button, LinkButton } from "#app/ui/button.tsx";
import { TextField } from "#app/ui/field.tsx";
import { FormSummary } from "#app/ui/form/form-summary.tsx";
import { type FieldsProps, type FormValues, fieldText } from "#app/ui/form/form-values.ts";
import { useCheckedForm } from "#app/ui/form/use-checked-form.ts";
import { useFormResponse } from "#app/ui/form/use-form-response.ts";
import { Form, useIsPosting } from "#app/ui/link.tsx";
import { Breadcrumbs, Card, PageHeader, Tabs } from "#app/ui/page-header.tsx";
import { redirectWithFlash } from "#app/web/flash.server.ts";
import { handleForm } from "#app/web/forms/form.server.ts";
import { checksOf } from "#app/web/forms/form-checks.server.ts";

export async function loader({ request, context }: LoaderFunctionArgs) {
  const { ctx, base } = await requireCurrentPortalAccess(request, context);
  const { searchParams } = new URL(request.url);
  const kind = storeKinds.find((one) => one === searchParams.get("kind")) ?? "shopify";
  const again = parseId<StoreId>(searchParams.get("store") ?? undefined);
  const store = (await listStores(ctx)).find((one) => one.id === again && one.kind === kind);
  return { base, kind, stored: store ? toStoredFields(store) : {}, checks: checksOf(connectStoreSchema, { kind }) };
}

/** The fields of a store that is connected again, without its credentials; the URL of a feed may have a key. */
function toStoredFields({ kind, storeUrl, frequency, defaultCategory, deriveSku }: Store): FormValues {
  return {
    store_url: kind === "feed" && storeUrl.includes("?") ? "" : storeUrl,
    frequency,
    default_category: defaultCategory,
    derive_sku: deriveSku ? "on" : "",
  };
}

export async function action({ request, context }: ActionFunctionArgs) {
  const { ctx, base } = await requireCurrentPortalAccess(request, context);
  return handleForm(request, connectStoreSchema, async (store) => {
    const { id } = await connectStore(ctx, store);
    await syncStore(ctx, { id }).catch((error: unknown) => {
      // A reconnected store may already be importing.
      if (!(error instanceof DomainError)) throw error;
    });
    const message = "Store connected. Importing products now.";
    return redirectWithFlash(portalHref(base, `/products/stores/${id}`), { tone: "success", message });
  });
}

export default function ConnectStore() {
  const { base, kind } = useLoaderData<typeof loader>();
  const upload = portalHref(base, "/products/upload");
  return (
    <>
      <Breadcrumbs
        trail={[
          { to: portalHref(base, "/products"), label: "Product Catalog" },
          { to: upload, label: "Upload Products" },
        ]}
        here="Connect Store"
      />
      <PageHeader title="Connect Store" subtitle="Import your store's products now and on a schedule" />
      <Tabs
        label="Store platform"
        tabs={storeKinds.map((one) => ({
          to: portalHref(base, `/products/stores/connect?kind=${one}`),
          label: storeKindLabels[one],
          current: one === kind,
        }))}
      />
      <div className="main-and-aside">
        <StoreForm key={kind} />
        <Card title={kind === "feed" ? "What a feed is" : "Where to find these credentials"}>
          <ol className="list-decimal pl-5 stack-sm">
            {steps[kind].map((step) => (
              <li key={step}>{step}</li>
            ))}
          </ol>
        </Card>
      </div>
    </>
  );
}

function StoreForm() {
  const { base, kind, stored, checks } = useLoaderData<typeof loader>();
  const { fields, ...form } = useCheckedForm({ checks, rejected: useFormResponse<typeof action>(), stored });
  const busy = useIsPosting();
  const label = storeKindLabels[kind];
  return (
    <Form method="post" {...form.props} className="stack">
      <FormSummary {...form.summary} />
      <input type="hidden" name="kind" value={kind} />
      <Card
        title={
          <>
            <BrandMark brand={kind} />
            {label}
          </>
        }
      >
        <div className="form-grid">
          <Credentials kind={kind} {...fields} />
        </div>
      </Card>
      <Card title="Sync">
        <div className="form-grid">
          <StoreSettingsFields {...fields} derivesSku={fields.values.derive_sku === "on"} />
        </div>
      </Card>
      <div className="actions">
        <LinkButton to={portalHref(base, "/products/upload")} variant="ghost">
          Cancel
        </LinkButton>
        <Button variant="primary" icon="plug" busy={busy} busyLabel="Connecting...">
          {`Connect ${label}`}
        </Button>
      </div>
    </Form>
  );
}

/** The credentials of a store. Secrets are never returned, not even with an error. */
function Credentials({ kind, values, errors }: FieldsProps & { kind: StoreKind }) {
  if (kind === "feed") return <FeedUrl values={values} errors={errors} />;
  const optionalSecret = { type: "password", autoComplete: "off", maxLength: 500 } as const;
  const secret = { ...optionalSecret, required: true } as const;
  return (
    <>
      <TextField
        name="store_url"
        label="Store URL"
        required
        type="text"
        inputMode="url"
        autoComplete="off"
        placeholder={kind === "shopify" ? "example.myshopify.com" : "https://shop.example.com"}
        defaultValue={fieldText(values, "store_url")}
        errors={errors.store_url}
      />
      {kind === "shopify" ? (
        <>
          <TextField
            name="client_id"
            label="Client ID"
            hint="Stored encrypted and never shown again"
            errors={errors.client_id}
            {...optionalSecret}
          />
          <TextField name="client_secret" label="Client secret" errors={errors.client_secret} {...optionalSecret} />
          <TextField
            name="access_token"
            label="Admin API access token"
            hint="Instead of the client, for a custom app that was created in the store before 2026"
            errors={errors.access_token}
            {...optionalSecret}
          />
        </>
      ) : (
        <>
          <TextField
            name="consumer_key"
            label="Consumer key"
            hint="Stored encrypted and never shown again"
            errors={errors.consumer_key}
            {...secret}
          />
          <TextField name="consumer_secret" label="Consumer secret" errors={errors.consumer_secret} {...secret} />
        </>
      )}
    </>
  );
}

function FeedUrl({ values, errors }: FieldsProps) {
  return (
    <TextField
      name="store_url"
      label="Feed URL"
      hint="What follows a question mark is stored encrypted and never shown again"
      required
      type="text"
      inputMode="url"
      autoComplete="off"
      maxLength={2_000}
      placeholder="https://shop.example.com/products.xml"
      defaultValue={fieldText(values, "store_url")}
      errors={errors.store_url}
    />
  );
}

const steps: Record<StoreKind, readonly string[]> = {
  shopify: [
    "In Shopify's Dev Dashboard, create an app for your own store.",
    "Give its version the scopes read_products and read_inventory, release it and install it in the store.",
    "Copy the client ID and the client secret from the app's settings.",
  ],
  woocommerce: [
    "In WordPress, go to WooCommerce > Settings > Advanced > REST API and add a key.",
    "Set its permissions to Read.",
    "Copy the consumer key and the consumer secret. WooCommerce shows them once.",
  ],
  feed: [
    "A feed is a file with all your products at a URL: a Google or Meta product feed in XML, CSV or TSV, or an export of your store.",
    "It may have up to 50 MB and 250,000 products, and may be packed with gzip.",
    "Each sync adds new products and updates the others. Products that the feed no longer has stay in the catalog.",
  ],
};

export const meta: MetaFunction = () => [{ title: pageTitle("Connect Store") }];

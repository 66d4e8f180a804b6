import type { ActionFunctionArgs, LoaderFunctionArgs, MetaFunction } from "@remix-run/node";
import { Form, useActionData, useLoaderData, useNavigation } from "@remix-run/react";
import { Plug } from "lucide-react";
import { connectStore } from "#app/domain/catalog/stores/connect-store.server.ts";
import { type StoreKind, storeKindLabels, storeKinds } from "#app/domain/catalog/stores/store.ts";
import { syncStore } from "#app/domain/catalog/stores/sync-store.server.ts";
import { DomainError } from "#app/domain/errors.ts";
import { pageTitle } from "#app/domain/product.ts";
import { enterThisPortal } from "#app/portal/enter-portal.server.ts";
import { portalHref } from "#app/portal/href.ts";
import { Button, LinkButton } from "#app/ui/button.tsx";
import { TextField } from "#app/ui/field.tsx";
import { FormSummary } from "#app/ui/form/form-summary.tsx";
import { type FieldsProps, textOf } from "#app/ui/form/form-values.ts";
import { useCheckedForm } from "#app/ui/form/use-checked-form.ts";
import { Breadcrumbs, Card, PageHeader, Tabs } from "#app/ui/layout.tsx";
import { redirectWithFlash } from "#app/web/flash.server.ts";
import { submitForm } from "#app/web/form.server.ts";
import { checksOf } from "#app/web/form-checks.server.ts";
import { StoreSettingsFields } from "./store-fields.tsx";
import { storeForm } from "./store-forms.ts";

export async function loader({ request, context }: LoaderFunctionArgs) {
  const { base } = await enterThisPortal(request, context);
  const asked = new URL(request.url).searchParams.get("kind");
  const kind = storeKinds.find((one) => one === asked) ?? "shopify";
  return { base, kind, checks: checksOf(storeForm, { kind }) };
}

export async function action({ request, context }: ActionFunctionArgs) {
  const { ctx, base } = await enterThisPortal(request, context);
  return submitForm(request, storeForm, async (store) => {
    const { id } = await connectStore(ctx, store);
    await syncStore(ctx, { id }).catch((error: unknown) => {
      // One that was connected anew may be fetched already.
      if (!(error instanceof DomainError)) throw error;
    });
    const message = "The shop is connected. Its products are being fetched.";
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
      <PageHeader title="Connect Store" subtitle="Your shop's products, fetched now and on a schedule" />
      <Tabs
        label="Shop"
        tabs={storeKinds.map((one) => ({
          to: portalHref(base, `/products/stores/connect?kind=${one}`),
          label: storeKindLabels[one],
          current: one === kind,
        }))}
      />
      <div className="split">
        <StoreForm key={kind} />
        <Card title="Where to find these">
          <ol className="list-decimal pl-5 stack-small">
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
  const { base, kind, checks } = useLoaderData<typeof loader>();
  const { fields, ...form } = useCheckedForm({ checks, refused: useActionData<typeof action>() });
  const busy = useNavigation().state === "submitting";
  const label = storeKindLabels[kind];
  return (
    <Form method="post" {...form.props} className="stack">
      <FormSummary {...form.summary} />
      <input type="hidden" name="kind" value={kind} />
      <Card title={label}>
        <div className="form-grid">
          <Credentials kind={kind} {...fields} />
        </div>
      </Card>
      <Card title="Sync">
        <div className="form-grid">
          <StoreSettingsFields {...fields} derivesSku={fields.values.derive_sku === "on"} />
        </div>
      </Card>
      <div className="actions justify-end">
        <LinkButton to={portalHref(base, "/products/upload")} variant="ghost">
          Cancel
        </LinkButton>
        <Button variant="primary" icon={Plug} busy={busy} busyLabel="Connecting...">
          {`Connect ${label}`}
        </Button>
      </div>
    </Form>
  );
}

/** What opens the shop. A secret is never given back, not even after an error. */
function Credentials({ kind, values, errors }: FieldsProps & { kind: StoreKind }) {
  const secret = { type: "password", required: true, autoComplete: "off", maxLength: 500 } as const;
  return (
    <>
      <TextField
        name="shop_url"
        label="Shop address"
        required
        type="text"
        inputMode="url"
        autoComplete="off"
        placeholder={kind === "shopify" ? "example.myshopify.com" : "https://shop.example.com"}
        defaultValue={textOf(values, "shop_url")}
        errors={errors.shop_url}
      />
      {kind === "shopify" ? (
        <TextField
          name="access_token"
          label="Admin API access token"
          hint="Kept encrypted, and never shown again"
          errors={errors.access_token}
          {...secret}
        />
      ) : (
        <>
          <TextField
            name="consumer_key"
            label="Consumer key"
            hint="Kept encrypted, and never shown again"
            errors={errors.consumer_key}
            {...secret}
          />
          <TextField name="consumer_secret" label="Consumer secret" errors={errors.consumer_secret} {...secret} />
        </>
      )}
    </>
  );
}

const steps: Record<StoreKind, readonly string[]> = {
  shopify: [
    "In Shopify, open Settings, Apps and sales channels, Develop apps, and create an app.",
    "Give it the Admin API scopes read_products and read_inventory, and install it.",
    "Copy the Admin API access token. Shopify shows it once.",
  ],
  woocommerce: [
    "In WordPress, open WooCommerce, Settings, Advanced, REST API, and add a key.",
    "Give it the permission Read.",
    "Copy the consumer key and the consumer secret. WooCommerce shows them once.",
  ],
};

export const meta: MetaFunction = () => [{ title: pageTitle("Connect Store") }];

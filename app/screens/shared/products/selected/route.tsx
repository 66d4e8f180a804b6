import type { ActionFunctionArgs, LoaderFunctionArgs, MetaFunction } from "@remix-run/node";
import { useLoaderData } from "@remix-run/react";
import { pageTitle } from "#app/domain/branding.ts";
import { getSelectionSummary } from "#app/domain/catalog/get-selection-summary.server.ts";
import { listCategories } from "#app/domain/catalog/list-categories.server.ts";
import { productLimits } from "#app/domain/catalog/product.ts";
import { inSnapshot } from "#app/domain/transaction.server.ts";
import { type PortalBase, portalHref } from "#app/portal/portal-href.ts";
import { requireCurrentPortalAccess } from "#app/portal/require-portal-access.server.ts";
import { parseProductSearch } from "#app/screens/shared/products/list/load-products.server.ts";
import { selectionActionSchema } from "#app/screens/shared/products/product-form-schemas.ts";
import { productQuery } from "#app/screens/shared/products/product-search.ts";
import { handleSelectionAction, parseSelection } from "#app/screens/shared/products/selection.server.ts";
import { Button, LinkButton } from "#app/ui/button.tsx";
import { TextField } from "#app/ui/field.tsx";
import { FormSummary } from "#app/ui/form/form-summary.tsx";
import { type FieldsProps, fieldText } from "#app/ui/form/form-values.ts";
import { useCheckedForm } from "#app/ui/form/use-checked-form.ts";
import { useFormResponse } from "#app/ui/form/use-form-response.ts";
import { formatCount, pluralize } from "#app/ui/format.ts";
import { Form, useIsPosting } from "#app/ui/link.tsx";
import { Breadcrumbs, Card, PageHeader } from "#app/ui/page-header.tsx";
import { redirectWithFlash } from "#app/web/flash.server.ts";
import { handleForm } from "#app/web/forms/form.server.ts";
import { checksOf } from "#app/web/forms/form-checks.server.ts";

export async function loader({ request, context }: LoaderFunctionArgs) {
  const { ctx, base } = await requireCurrentPortalAccess(request, context);
  const list = filteredList(request, base);
  const selection = parseSelection(request);
  if (!selection) return redirectWithFlash(list, { tone: "info", message: "Select at least one product" });
  const intent = new URL(request.url).searchParams.get("intent") === "category" ? "category" : "delete";
  const [chosen, categories] = await inSnapshot(ctx, (tx) =>
    Promise.all([getSelectionSummary(tx, selection), listCategories(tx)]),
  );
  const checks = checksOf(selectionActionSchema, { intent });
  return { base, list, intent, chosen, categories: categories.map(({ category }) => category), checks } as const;
}

export async function action({ request, context }: ActionFunctionArgs) {
  const { ctx, base } = await requireCurrentPortalAccess(request, context);
  const selection = parseSelection(request);
  // All that matched a filter may match it no longer.
  const list = selection && "matching" in selection ? portalHref(base, "/products") : filteredList(request, base);
  if (!selection) return redirectWithFlash(list, { tone: "info", message: "Select at least one product" });
  return handleForm(request, selectionActionSchema, async (form) =>
    redirectWithFlash(list, { tone: "success", message: await handleSelectionAction(ctx, { selection, form }) }),
  );
}

function filteredList(request: Request, base: PortalBase): string {
  return portalHref(base, `/products${productQuery(parseProductSearch(request))}`);
}

export default function SelectedProducts() {
  const { base, list, intent, chosen, checks } = useLoaderData<typeof loader>();
  const { fields, ...form } = useCheckedForm({ checks, rejected: useFormResponse<typeof action>() });
  const products = pluralize(chosen.count, "product");
  const deleting = intent === "delete";
  return (
    <>
      <Breadcrumbs
        trail={[{ to: portalHref(base, "/products"), label: "Product Catalog" }]}
        here={deleting ? "Delete products" : "Change category"}
      />
      <PageHeader title={deleting ? `Delete ${products}?` : `Change the category of ${products}`} />
      <div className="stack max-w-2xl">
        <FormSummary {...form.summary} />
        <Card>
          <Form method="post" {...form.props} className="form-grid">
            <Chosen />
            {deleting ? <DeleteMessage /> : <CategoryField {...fields} />}
            <Buttons list={list} deleting={deleting} />
          </Form>
        </Card>
      </div>
    </>
  );
}

function Chosen() {
  const { chosen } = useLoaderData<typeof loader>();
  const more = chosen.count - chosen.first.length;
  return (
    <ul className="list-disc pl-5">
      {chosen.first.map(({ id, name, sku }) => (
        <li key={id} className="wrap-anywhere">
          {name} <span className="hint">{sku}</span>
        </li>
      ))}
      {more > 0 ? <li>{`and ${formatCount(more)} more`}</li> : null}
    </ul>
  );
}

function DeleteMessage() {
  const { chosen } = useLoaderData<typeof loader>();
  return (
    <p>
      {chosen.used > 0
        ? `${formatCount(chosen.used)} of them can't be deleted because running or pending campaigns use ${chosen.used === 1 ? "it" : "them"}. `
        : ""}
      Deleted products are also removed from campaign drafts. You can't undo this.
    </p>
  );
}

function CategoryField({ values, errors }: FieldsProps) {
  const { categories } = useLoaderData<typeof loader>();
  return (
    <>
      <TextField
        name="category"
        label="New category"
        hint="Choose an existing category or enter a new one"
        required
        list="categories"
        maxLength={productLimits.category}
        autoComplete="off"
        defaultValue={fieldText(values, "category")}
        errors={errors.category}
      />
      <datalist id="categories">
        {categories.map((category) => (
          <option key={category} value={category} />
        ))}
      </datalist>
    </>
  );
}

function Buttons({ list, deleting }: { list: string; deleting: boolean }) {
  const busy = useIsPosting();
  return (
    <div className="actions">
      <LinkButton to={list}>{deleting ? "Keep products" : "Cancel"}</LinkButton>
      {deleting ? (
        <Button name="intent" value="delete" variant="danger" icon="trash" busy={busy} busyLabel="Deleting...">
          Delete products
        </Button>
      ) : (
        <Button name="intent" value="category" variant="primary" busy={busy} busyLabel="Saving...">
          Change category
        </Button>
      )}
    </div>
  );
}

export const meta: MetaFunction = () => [{ title: pageTitle("Selected products") }];

import type { ActionFunctionArgs, LoaderFunctionArgs, MetaFunction } from "@remix-run/node";
import { Form, useActionData, useLoaderData, useNavigation } from "@remix-run/react";
import { Trash2 } from "lucide-react";
import { getSelection } from "#app/domain/catalog/get-selection.server.ts";
import { listCategories } from "#app/domain/catalog/list-categories.server.ts";
import { productLimits } from "#app/domain/catalog/product.ts";
import { pageTitle } from "#app/domain/product.ts";
import { enterThisPortal } from "#app/portal/enter-portal.server.ts";
import { portalHref } from "#app/portal/href.ts";
import { Button, LinkButton } from "#app/ui/button.tsx";
import { TextField } from "#app/ui/field.tsx";
import { FormSummary } from "#app/ui/form/form-summary.tsx";
import { type FieldsProps, textOf } from "#app/ui/form/form-values.ts";
import { useCheckedForm } from "#app/ui/form/use-checked-form.ts";
import { formatCount, formatNumberOf } from "#app/ui/format.ts";
import { Breadcrumbs, Card, PageHeader } from "#app/ui/layout.tsx";
import { redirectWithFlash } from "#app/web/flash.server.ts";
import { submitForm } from "#app/web/form.server.ts";
import { checksOf } from "#app/web/form-checks.server.ts";
import { searchOf } from "./load-products.server.ts";
import { selectionForms } from "./product-forms.ts";
import { productQuery } from "./product-search.ts";
import { applyToSelection, selectionIn } from "./selection.server.ts";

export async function loader({ request, context }: LoaderFunctionArgs) {
  const { ctx, base } = await enterThisPortal(request, context);
  const list = portalHref(base, `/products${productQuery(searchOf(request))}`);
  const selection = selectionIn(request);
  if (!selection) return redirectWithFlash(list, { tone: "info", message: "Tick at least one product first" });
  const intent = new URL(request.url).searchParams.get("intent") === "category" ? "category" : "delete";
  const [chosen, categories] = await Promise.all([getSelection(ctx, selection), listCategories(ctx)]);
  const checks = checksOf(selectionForms, { intent });
  return { base, list, intent, chosen, categories: categories.map(({ category }) => category), checks } as const;
}

export async function action({ request, context }: ActionFunctionArgs) {
  const { ctx, base } = await enterThisPortal(request, context);
  const selection = selectionIn(request);
  const list = portalHref(base, "/products");
  if (!selection) return redirectWithFlash(list, { tone: "info", message: "Tick at least one product first" });
  return submitForm(request, selectionForms, async (form) =>
    redirectWithFlash(list, { tone: "success", message: await applyToSelection(ctx, { selection, form }) }),
  );
}

export default function SelectedProducts() {
  const { base, list, intent, chosen, checks } = useLoaderData<typeof loader>();
  const { fields, ...form } = useCheckedForm({ checks, refused: useActionData<typeof action>() });
  const products = formatNumberOf(chosen.count, "product");
  const deleting = intent === "delete";
  return (
    <>
      <Breadcrumbs
        trail={[{ to: portalHref(base, "/products"), label: "Product Catalog" }]}
        here={deleting ? "Delete" : "Change category"}
      />
      <PageHeader title={deleting ? `Delete ${products}?` : `Change the category of ${products}`} />
      <div className="stack max-w-2xl">
        <FormSummary {...form.summary} />
        <Card>
          <Form method="post" {...form.props} className="form-grid">
            <Chosen />
            {deleting ? <DeleteWords /> : <CategoryField {...fields} />}
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

function DeleteWords() {
  const { chosen } = useLoaderData<typeof loader>();
  return (
    <p>
      {chosen.used > 0
        ? `${formatCount(chosen.used)} of them ${chosen.used === 1 ? "stays" : "stay"}: a campaign that runs or waits for a decision shows ${chosen.used === 1 ? "it" : "them"}. `
        : ""}
      What is deleted leaves the drafts of campaigns too. This cannot be undone.
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
        hint="One you have, or a new one"
        required
        list="categories"
        maxLength={productLimits.category}
        autoComplete="off"
        defaultValue={textOf(values, "category")}
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
  const busy = useNavigation().state === "submitting";
  return (
    <div className="actions">
      {deleting ? (
        <Button name="intent" value="delete" variant="danger" icon={Trash2} busy={busy} busyLabel="Deleting...">
          Delete
        </Button>
      ) : (
        <Button name="intent" value="category" variant="primary" busy={busy} busyLabel="Saving...">
          Change category
        </Button>
      )}
      <LinkButton to={list}>{deleting ? "Keep them" : "Cancel"}</LinkButton>
    </div>
  );
}

export const meta: MetaFunction = () => [{ title: pageTitle("Several products") }];

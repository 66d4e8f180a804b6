import type { ActionFunctionArgs, LoaderFunctionArgs, MetaFunction } from "@remix-run/node";
import { useActionData, useLoaderData } from "@remix-run/react";
import { createProduct } from "#app/domain/catalog/create-product.server.ts";
import { listCategories } from "#app/domain/catalog/list-categories.server.ts";
import { createOnce } from "#app/domain/idempotency/create-once.server.ts";
import { pageTitle } from "#app/domain/product.ts";
import { enterThisPortal } from "#app/portal/enter-portal.server.ts";
import { portalHref } from "#app/portal/href.ts";
import { Breadcrumbs, PageHeader } from "#app/ui/layout.tsx";
import { redirectWithFlash } from "#app/web/flash.server.ts";
import { submitForm } from "#app/web/form.server.ts";
import { checksOf } from "#app/web/form-checks.server.ts";
import { ProductForm } from "./product-form.tsx";
import { productForm } from "./product-forms.ts";

export async function loader({ request, context }: LoaderFunctionArgs) {
  const { ctx, base } = await enterThisPortal(request, context);
  const categories = (await listCategories(ctx)).map(({ category }) => category);
  return { base, categories, formKey: crypto.randomUUID(), checks: checksOf(productForm) };
}

export async function action({ request, context }: ActionFunctionArgs) {
  const { ctx, base } = await enterThisPortal(request, context);
  return submitForm(request, productForm, async ({ idempotency_key: key, ...values }) => {
    await createOnce(ctx, { key, values }, (once) => createProduct(once, values));
    const message = `“${values.name}” is in your catalog`;
    return redirectWithFlash(portalHref(base, "/products?sort=newest"), { tone: "success", message });
  });
}

export default function CreateProduct() {
  const { base, categories, formKey, checks } = useLoaderData<typeof loader>();
  return (
    <>
      <Breadcrumbs trail={[{ to: portalHref(base, "/products"), label: "Product Catalog" }]} here="Add Product" />
      <PageHeader title="Add Product" />
      <ProductForm
        stored={{}}
        refused={useActionData<typeof action>()}
        checks={checks}
        categories={categories}
        formKey={formKey}
        submit="Add Product"
        cancelTo={portalHref(base, "/products")}
      />
    </>
  );
}

export const meta: MetaFunction = () => [{ title: pageTitle("Add Product") }];

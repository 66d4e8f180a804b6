import type { ActionFunctionArgs, LoaderFunctionArgs, MetaFunction } from "@remix-run/node";
import { useLoaderData } from "@remix-run/react";
import { pageTitle } from "#app/domain/branding.ts";
import { createProduct } from "#app/domain/catalog/create-product.server.ts";
import { listCategories } from "#app/domain/catalog/list-categories.server.ts";
import { createIdempotently } from "#app/domain/idempotency/create-idempotently.server.ts";
import { portalHref } from "#app/portal/portal-href.ts";
import { requireCurrentPortalAccess } from "#app/portal/require-portal-access.server.ts";
import { ProductForm } from "#app/screens/shared/products/product-form.tsx";
import { productFormSchema } from "#app/screens/shared/products/product-form-schemas.ts";
import { useFormResponse } from "#app/ui/form/use-form-response.ts";
import { Breadcrumbs, PageHeader } from "#app/ui/page-header.tsx";
import { redirectWithFlash } from "#app/web/flash.server.ts";
import { handleForm } from "#app/web/forms/form.server.ts";
import { checksOf } from "#app/web/forms/form-checks.server.ts";

export async function loader({ request, context }: LoaderFunctionArgs) {
  const { ctx, base } = await requireCurrentPortalAccess(request, context);
  const categories = (await listCategories(ctx)).map(({ category }) => category);
  return { base, categories, idempotencyKey: crypto.randomUUID(), checks: checksOf(productFormSchema) };
}

export async function action({ request, context }: ActionFunctionArgs) {
  const { ctx, base } = await requireCurrentPortalAccess(request, context);
  return handleForm(request, productFormSchema, async ({ idempotency_key: key, ...values }) => {
    await createIdempotently(ctx, { key, values }, (once) => createProduct(once, values));
    const message = `“${values.name}” added to your catalog`;
    return redirectWithFlash(portalHref(base, "/products?sort=newest"), { tone: "success", message });
  });
}

export default function CreateProduct() {
  const { base, categories, idempotencyKey, checks } = useLoaderData<typeof loader>();
  return (
    <>
      <Breadcrumbs trail={[{ to: portalHref(base, "/products"), label: "Product Catalog" }]} here="Add Product" />
      <PageHeader title="Add Product" />
      <ProductForm
        stored={{}}
        rejected={useFormResponse<typeof action>()}
        checks={checks}
        categories={categories}
        idempotencyKey={idempotencyKey}
        submit="Add Product"
        cancelTo={portalHref(base, "/products")}
      />
    </>
  );
}

export const meta: MetaFunction = () => [{ title: pageTitle("Add Product") }];

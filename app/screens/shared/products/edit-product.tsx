import type { ActionFunctionArgs, LoaderFunctionArgs, MetaFunction } from "@remix-run/node";
import { useActionData, useLoaderData } from "@remix-run/react";
import { changeProduct } from "#app/domain/catalog/change-product.server.ts";
import { getProduct } from "#app/domain/catalog/get-product.server.ts";
import { listCategories } from "#app/domain/catalog/list-categories.server.ts";
import type { ProductId } from "#app/domain/ids.ts";
import { pageTitle } from "#app/domain/product.ts";
import { enterThisPortal } from "#app/portal/enter-portal.server.ts";
import { portalHref } from "#app/portal/href.ts";
import { Breadcrumbs, PageHeader } from "#app/ui/layout.tsx";
import { redirectWithFlash } from "#app/web/flash.server.ts";
import { submitForm } from "#app/web/form.server.ts";
import { checksOf } from "#app/web/form-checks.server.ts";
import { idInAddress, orNotFoundPage } from "#app/web/not-found.server.ts";
import { ProductForm } from "./product-form.tsx";
import { productForm } from "./product-forms.ts";

export async function loader({ request, params, context }: LoaderFunctionArgs) {
  const { ctx, base } = await enterThisPortal(request, context);
  const product = await orNotFoundPage(getProduct(ctx, idInAddress<ProductId>(params.id)));
  const stored = {
    name: product.name,
    sku: product.sku,
    category: product.category,
    price: (product.priceCents / 100).toFixed(2),
    inventory: product.inventory,
    image: product.imageUrl,
    description: product.description,
    brand: product.brand,
    group: product.groupKey,
  };
  const categories = (await listCategories(ctx)).map(({ category }) => category);
  return { base, id: product.id, stored, categories, checks: checksOf(productForm) };
}

export async function action({ request, params, context }: ActionFunctionArgs) {
  const { ctx, base } = await enterThisPortal(request, context);
  const id = idInAddress<ProductId>(params.id);
  await orNotFoundPage(getProduct(ctx, id));
  return submitForm(request, productForm, async (changes) => {
    await changeProduct(ctx, { id, changes });
    return redirectWithFlash(portalHref(base, `/products/${id}`), { tone: "success", message: "Product saved" });
  });
}

export default function EditProduct() {
  const { base, id, stored, categories, checks } = useLoaderData<typeof loader>();
  return (
    <>
      <Breadcrumbs
        trail={[
          { to: portalHref(base, "/products"), label: "Product Catalog" },
          { to: portalHref(base, `/products/${id}`), label: stored.name },
        ]}
        here="Edit"
      />
      <PageHeader title={`Edit “${stored.name}”`} subtitle="Campaigns that show it show it as it then is" />
      <ProductForm
        stored={stored}
        refused={useActionData<typeof action>()}
        checks={checks}
        categories={categories}
        submit="Save product"
        cancelTo={portalHref(base, `/products/${id}`)}
      />
    </>
  );
}

export const meta: MetaFunction<typeof loader> = ({ data }) => [
  { title: pageTitle(`Edit ${data?.stored.name ?? "product"}`) },
];

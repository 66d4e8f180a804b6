import type { ActionFunctionArgs, LoaderFunctionArgs, MetaFunction } from "@remix-run/node";
import { useLoaderData } from "@remix-run/react";
import { pageTitle } from "#app/domain/branding.ts";
import { getProduct } from "#app/domain/catalog/get-product.server.ts";
import { listCategories } from "#app/domain/catalog/list-categories.server.ts";
import { updateProduct } from "#app/domain/catalog/update-product.server.ts";
import type { ProductId } from "#app/domain/ids.ts";
import { portalHref } from "#app/portal/portal-href.ts";
import { requireCurrentPortalAccess } from "#app/portal/require-portal-access.server.ts";
import { ProductForm } from "#app/screens/shared/products/product-form.tsx";
import { productFormSchema } from "#app/screens/shared/products/product-form-schemas.ts";
import { useFormResponse } from "#app/ui/form/use-form-response.ts";
import { Breadcrumbs, PageHeader } from "#app/ui/page-header.tsx";
import { redirectWithFlash } from "#app/web/flash.server.ts";
import { handleForm } from "#app/web/forms/form.server.ts";
import { checksOf } from "#app/web/forms/form-checks.server.ts";
import { fingerprintFields, omitUnchangedFields } from "#app/web/forms/opened-fields.server.ts";
import { orThrow404, requireIdParam } from "#app/web/not-found.server.ts";

export async function loader({ request, params, context }: LoaderFunctionArgs) {
  const { ctx, base } = await requireCurrentPortalAccess(request, context);
  const product = await orThrow404(getProduct(ctx, requireIdParam<ProductId>(params.id)));
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
    listing_status: product.listingStatus,
  };
  const categories = (await listCategories(ctx)).map(({ category }) => category);
  const opened = fingerprintFields(productFormSchema, stored);
  return { base, id: product.id, stored, opened, categories, checks: checksOf(productFormSchema) };
}

export async function action({ request, params, context }: ActionFunctionArgs) {
  const { ctx, base } = await requireCurrentPortalAccess(request, context);
  const id = requireIdParam<ProductId>(params.id);
  return handleForm(
    request,
    productFormSchema,
    async (values, { payload }) => {
      await updateProduct(ctx, { id, changes: omitUnchangedFields(values, payload.opened) });
      return redirectWithFlash(portalHref(base, `/products/${id}`), { tone: "success", message: "Product saved" });
    },
    { checkOwner: () => orThrow404(getProduct(ctx, id)) },
  );
}

export default function EditProduct() {
  const { base, id, stored, opened, categories, checks } = useLoaderData<typeof loader>();
  return (
    <>
      <Breadcrumbs
        trail={[
          { to: portalHref(base, "/products"), label: "Product Catalog" },
          { to: portalHref(base, `/products/${id}`), label: stored.name },
        ]}
        here="Edit"
      />
      <PageHeader title={`Edit “${stored.name}”`} subtitle="Campaigns that use this product show your changes" />
      <ProductForm
        stored={stored}
        opened={opened}
        rejected={useFormResponse<typeof action>()}
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

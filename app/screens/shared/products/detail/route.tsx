import type { LoaderFunctionArgs, MetaFunction } from "@remix-run/node";
import { useLoaderData, useLocation } from "@remix-run/react";
import { pageTitle } from "#app/domain/branding.ts";
import { getProduct } from "#app/domain/catalog/get-product.server.ts";
import type { ProductId } from "#app/domain/ids.ts";
import { formatCents } from "#app/domain/money.ts";
import { portalHref } from "#app/portal/portal-href.ts";
import { requireCurrentPortalAccess } from "#app/portal/require-portal-access.server.ts";
import { InventoryCount, ProductStatusBadge } from "#app/screens/shared/products/product-columns.tsx";
import { LinkButton } from "#app/ui/button.tsx";
import { Dialog } from "#app/ui/dialog.tsx";
import { DescriptionList } from "#app/ui/page-header.tsx";
import { Thumbnail } from "#app/ui/thumbnail.tsx";
import { useTimeFormats } from "#app/ui/time/use-time-formats.ts";
import { orThrow404, requireIdParam } from "#app/web/not-found.server.ts";

export async function loader({ request, params, context }: LoaderFunctionArgs) {
  const { ctx, base } = await requireCurrentPortalAccess(request, context);
  return { base, product: await orThrow404(getProduct(ctx, requireIdParam<ProductId>(params.id))) };
}

export default function ProductDetails() {
  const { formatDateTime } = useTimeFormats();
  const { base, product } = useLoaderData<typeof loader>();
  const closeTo = portalHref(base, `/products${useLocation().search}`);
  const page = portalHref(base, `/products/${product.id}`);
  return (
    <Dialog
      title={product.name}
      subtitle={`SKU ${product.sku}`}
      closeTo={closeTo}
      foot={
        <div className="dialog-footer">
          <LinkButton to={closeTo} variant="ghost" preventScrollReset>
            Close
          </LinkButton>
          <div className="actions">
            <LinkButton to={`${page}/delete`} icon="trash">
              Delete
            </LinkButton>
            <LinkButton to={`${page}/edit`} variant="primary" icon="pencil">
              Edit
            </LinkButton>
          </div>
        </div>
      }
    >
      <div className="dialog-body product-details">
        <Thumbnail src={product.imageUrl && `${page}/image`} name={product.name} large />
        <div className="stack">
          <DescriptionList
            facts={[
              { label: "Status", value: <ProductStatusBadge status={product.status} /> },
              { label: "Price", value: formatCents(product.priceCents) },
              { label: "Inventory", value: <InventoryCount inventory={product.inventory} /> },
              { label: "Brand", value: product.brand ?? "–" },
              { label: "Category", value: product.category, wide: true },
              ...(product.groupKey ? [{ label: "Group", value: product.groupKey, wide: true }] : []),
              { label: "Added", value: formatDateTime(product.createdAt) },
              { label: "Last updated", value: formatDateTime(product.updatedAt) },
            ]}
          />
          {product.description ? <p className="whitespace-pre-line wrap-anywhere">{product.description}</p> : null}
        </div>
      </div>
    </Dialog>
  );
}

export const meta: MetaFunction<typeof loader> = ({ data }) => [
  { title: pageTitle(`${data?.product.name ?? "Product"} · Product Catalog`) },
];

import type { LoaderFunctionArgs, MetaFunction } from "@remix-run/node";
import { useLoaderData, useLocation } from "@remix-run/react";
import { Pencil, Trash2 } from "lucide-react";
import { formatDate } from "#app/domain/calendar-date.ts";
import { getProduct } from "#app/domain/catalog/get-product.server.ts";
import type { ProductId } from "#app/domain/ids.ts";
import { formatCents } from "#app/domain/money.ts";
import { pageTitle } from "#app/domain/product.ts";
import { enterThisPortal } from "#app/portal/enter-portal.server.ts";
import { portalHref } from "#app/portal/href.ts";
import { LinkButton } from "#app/ui/button.tsx";
import { Dialog } from "#app/ui/dialog.tsx";
import { Facts } from "#app/ui/layout.tsx";
import { Thumbnail } from "#app/ui/thumbnail.tsx";
import { idInAddress, orNotFoundPage } from "#app/web/not-found.server.ts";
import { Inventory, ProductStatusBadge } from "./product-columns.tsx";

export async function loader({ request, params, context }: LoaderFunctionArgs) {
  const { ctx, base } = await enterThisPortal(request, context);
  return { base, product: await orNotFoundPage(getProduct(ctx, idInAddress<ProductId>(params.id))) };
}

export default function ProductDetails() {
  const { base, product } = useLoaderData<typeof loader>();
  const closeTo = portalHref(base, `/products${useLocation().search}`);
  const page = portalHref(base, `/products/${product.id}`);
  return (
    <Dialog
      title={product.name}
      subtitle={`SKU ${product.sku}`}
      closeTo={closeTo}
      foot={
        <div className="dialog-foot">
          <LinkButton to={closeTo} variant="ghost" preventScrollReset>
            Close
          </LinkButton>
          <div className="actions">
            <LinkButton to={`${page}/delete`} icon={Trash2}>
              Delete
            </LinkButton>
            <LinkButton to={`${page}/edit`} variant="primary" icon={Pencil}>
              Edit
            </LinkButton>
          </div>
        </div>
      }
    >
      <div className="dialog-body product-details">
        <Thumbnail src={product.imageUrl && `${page}/image`} large />
        <div className="stack">
          <Facts
            facts={[
              { label: "Status", value: <ProductStatusBadge status={product.status} /> },
              { label: "Price", value: formatCents(product.priceCents) },
              { label: "Inventory", value: <Inventory inventory={product.inventory} /> },
              { label: "Brand", value: product.brand ?? "–" },
              { label: "Category", value: product.category, wide: true },
              ...(product.groupKey ? [{ label: "Group", value: product.groupKey, wide: true }] : []),
              { label: "Added", value: formatDate(product.createdAt) },
              { label: "Last change", value: formatDate(product.updatedAt) },
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

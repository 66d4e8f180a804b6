import { Link } from "@remix-run/react";
import { type ProductSort, type ProductStatus, productStatusLabels } from "#app/domain/catalog/product.ts";
import { formatCents } from "#app/domain/money.ts";
import { Badge } from "#app/ui/badge.tsx";
import { formatCount } from "#app/ui/format.ts";
import type { Column } from "#app/ui/table.tsx";
import { Thumbnail } from "#app/ui/thumbnail.tsx";
import type { ShownProduct } from "./load-products.server.ts";

/** The columns of the catalogue. `sortHref` leads to the list in another order. */
export function productColumns({
  sort,
  sortHref,
  viewHref,
  imageHref,
}: {
  sort: ProductSort;
  sortHref: (sort: ProductSort) => string;
  viewHref: (id: string) => string;
  imageHref: (id: string) => string;
}): Column<ShownProduct>[] {
  return [
    {
      head: "Product",
      wide: true,
      sort: { to: sortHref("name"), current: sort === "name" ? "ascending" : undefined },
      cell: ({ id, name, description, imageUrl }) => (
        <div className="with-thumbnail">
          <Thumbnail src={imageUrl && imageHref(id)} />
          <div>
            <Link className="row-link wrap-anywhere" to={viewHref(id)} prefetch="intent" preventScrollReset>
              {name}
            </Link>
            {description ? <small className="line-clamp-1 wrap-anywhere">{description}</small> : null}
          </div>
        </div>
      ),
    },
    {
      head: "SKU",
      cell: ({ sku }) => (
        <span className="sku" title={sku}>
          {sku}
        </span>
      ),
    },
    { head: "Category", cell: ({ category }) => <CategoryName category={category} /> },
    {
      head: "Price",
      right: true,
      sort: {
        to: sortHref(sort === "price_low" ? "price_high" : "price_low"),
        current: sort === "price_low" ? "ascending" : sort === "price_high" ? "descending" : undefined,
      },
      cell: ({ priceCents }) => <strong className="text-ink">{formatCents(priceCents)}</strong>,
    },
    {
      head: "Inventory",
      right: true,
      sort: { to: sortHref("stock_low"), current: sort === "stock_low" ? "ascending" : undefined },
      cell: ({ inventory }) => <Inventory inventory={inventory} />,
    },
    { head: "Status", cell: ({ status }) => <ProductStatusBadge status={status} /> },
  ];
}

/** Of a path of categories the last one, with the way to it below. */
function CategoryName({ category }: { category: string }) {
  const path = category.split(" > ");
  const last = path.at(-1) ?? category;
  return (
    <>
      <span className="wrap-anywhere">{last}</span>
      {path.length > 1 ? <small className="line-clamp-1">{path.slice(0, -1).join(" › ")}</small> : null}
    </>
  );
}

/** Unknown is not none. */
export function Inventory({ inventory }: { inventory: number | null }) {
  return inventory === null ? <span className="text-muted">Unknown</span> : formatCount(inventory);
}

export function ProductStatusBadge({ status }: { status: ProductStatus }) {
  return <Badge tone={status === "low_stock" ? "warn" : "good"}>{productStatusLabels[status]}</Badge>;
}

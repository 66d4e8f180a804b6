import { type ProductSort, type ProductStatus, productStatusLabels } from "#app/domain/catalog/product.ts";
import { formatCents } from "#app/domain/money.ts";
import { Badge } from "#app/ui/badge.tsx";
import { formatCount } from "#app/ui/format.ts";
import type { Column } from "#app/ui/table/column.ts";
import { RowTitle } from "#app/ui/table/row-title.tsx";
import { Thumbnail } from "#app/ui/thumbnail.tsx";
import type { ProductView } from "./list/load-products.server.ts";

/** The columns of the catalog. `sortHref` returns the URL of another sort order. */
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
}): Column<ProductView>[] {
  return [
    {
      header: "Product",
      place: "title",
      width: 220,
      sort: { to: sortHref("name"), current: sort === "name" ? "ascending" : undefined },
      cell: ({ id, name, description, hasImage }) => (
        <div className="with-thumbnail">
          <Thumbnail src={hasImage ? imageHref(id) : null} name={name} />
          <div>
            <RowTitle name={name} to={viewHref(id)} preventScrollReset detail={description ?? undefined} />
          </div>
        </div>
      ),
    },
    {
      header: "SKU",
      name: "sku",
      priority: 3,
      width: 150,
      cell: ({ sku }) => (
        <span className="sku" title={sku}>
          {sku}
        </span>
      ),
    },
    {
      header: "Category",
      name: "category",
      priority: 4,
      width: 170,
      cell: ({ category }) => <CategoryName category={category} />,
    },
    {
      header: "Price",
      name: "price",
      place: "amount",
      width: 100,
      align: "right",
      sort: {
        to: sortHref(sort === "price_low" ? "price_high" : "price_low"),
        current: sort === "price_low" ? "ascending" : sort === "price_high" ? "descending" : undefined,
      },
      cell: ({ priceCents }) => <strong className="text-ink">{formatCents(priceCents)}</strong>,
    },
    {
      header: "Inventory",
      name: "inventory",
      priority: 2,
      width: 100,
      align: "right",
      sort: { to: sortHref("stock_low"), current: sort === "stock_low" ? "ascending" : undefined },
      cell: ({ inventory }) => <InventoryCount inventory={inventory} />,
    },
    {
      header: "Status",
      name: "status",
      place: "status",
      cell: ({ status }) => <ProductStatusBadge status={status} />,
    },
  ];
}

/** The last segment of a category path, with the parent segments below. */
function CategoryName({ category }: { category: string }) {
  const path = category.split(" > ");
  const last = path.at(-1) ?? category;
  return (
    <>
      <span className="cut" title={category}>
        {last}
      </span>
      {path.length > 1 ? <small className="cut">{path.slice(0, -1).join(" › ")}</small> : null}
    </>
  );
}

/** Unknown inventory differs from an inventory of zero. */
export function InventoryCount({ inventory }: { inventory: number | null }) {
  return inventory === null ? <span className="text-muted">Not tracked</span> : formatCount(inventory);
}

const statusTones = { active: "good", low_stock: "warn", draft: "neutral", archived: "neutral" } as const;

export function ProductStatusBadge({ status }: { status: ProductStatus }) {
  return <Badge tone={statusTones[status]}>{productStatusLabels[status]}</Badge>;
}

import type { PreviewRow } from "#app/domain/catalog/imports/list-preview.server.ts";
import { productStatusLabels } from "#app/domain/catalog/product.ts";
import { formatCents } from "#app/domain/money.ts";
import { InventoryCount } from "#app/screens/shared/products/product-columns.tsx";
import { Badge } from "#app/ui/badge.tsx";
import { formatCount } from "#app/ui/format.ts";
import { Card, EmptyState } from "#app/ui/page-header.tsx";
import { DataTable } from "#app/ui/table/data-table.tsx";
import { RowTitle } from "#app/ui/table/row-title.tsx";

const actions = {
  create: { tone: "good", label: "New" },
  update: { tone: "info", label: "Update" },
  unchanged: { tone: "neutral", label: "Unchanged" },
} as const;

/** The first parsed products, and what the import would do to each. */
export function ImportPreview({ rows }: { rows: readonly PreviewRow[] }) {
  return (
    <Card title="First rows" flush>
      {rows.length === 0 ? (
        <EmptyState title="No valid products found">
          See the reasons below. Try different columns, or fill in missing SKUs and categories automatically.
        </EmptyState>
      ) : (
        <DataTable
          caption="First rows"
          rows={rows}
          columns={[
            { header: "Row", align: "right", priority: 3, width: 80, cell: ({ row }) => formatCount(row) },
            {
              header: "Product",
              place: "title",
              cell: ({ name, sku, listingStatus }) => (
                <RowTitle
                  name={name}
                  detail={listingStatus === "active" ? sku : `${sku} · ${productStatusLabels[listingStatus]}`}
                />
              ),
            },
            {
              header: "Category",
              priority: 2,
              width: 170,
              cell: ({ category }) => (
                <span className="cut" title={category}>
                  {category}
                </span>
              ),
            },
            { header: "Price", place: "amount", align: "right", cell: ({ priceCents }) => formatCents(priceCents) },
            {
              header: "Inventory",
              align: "right",
              priority: 1,
              cell: ({ inventory }) => <InventoryCount inventory={inventory} />,
            },
            {
              header: "Result",
              place: "status",
              cell: ({ action }) => <Badge tone={actions[action].tone}>{actions[action].label}</Badge>,
            },
          ]}
        />
      )}
    </Card>
  );
}

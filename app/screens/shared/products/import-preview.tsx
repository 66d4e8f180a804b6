import type { PreviewRow } from "#app/domain/catalog/imports/list-preview.server.ts";
import { formatCents } from "#app/domain/money.ts";
import { Badge } from "#app/ui/badge.tsx";
import { formatCount } from "#app/ui/format.ts";
import { Card, EmptyState } from "#app/ui/layout.tsx";
import { DataTable } from "#app/ui/table.tsx";
import { Inventory } from "./product-columns.tsx";

const actions = {
  create: { tone: "good", words: "New" },
  update: { tone: "info", words: "Update" },
  unchanged: { tone: "neutral", words: "Unchanged" },
} as const;

/** The first products as they were read, and what importing would do to each. */
export function ImportPreview({ rows }: { rows: readonly PreviewRow[] }) {
  return (
    <Card title="First rows" flush>
      {rows.length === 0 ? (
        <EmptyState title="No row makes a product">
          The reasons are below. Other columns may help, or what can be made up for a shop's export.
        </EmptyState>
      ) : (
        <DataTable
          caption="First rows"
          rows={rows}
          columns={[
            { head: "Row", right: true, cell: ({ row }) => formatCount(row) },
            {
              head: "Product",
              wide: true,
              cell: ({ name, sku }) => (
                <div>
                  <strong className="text-ink line-clamp-2 wrap-anywhere">{name}</strong>
                  <small className="wrap-anywhere">{sku}</small>
                </div>
              ),
            },
            {
              head: "Category",
              cell: ({ category }) => <span className="line-clamp-2 wrap-anywhere">{category}</span>,
            },
            { head: "Price", right: true, cell: ({ priceCents }) => formatCents(priceCents) },
            { head: "Inventory", right: true, cell: ({ inventory }) => <Inventory inventory={inventory} /> },
            {
              head: "What happens",
              cell: ({ action }) => <Badge tone={actions[action].tone}>{actions[action].words}</Badge>,
            },
          ]}
        />
      )}
    </Card>
  );
}

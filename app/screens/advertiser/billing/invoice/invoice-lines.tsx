import type { InvoiceLine } from "#app/domain/billing/invoices/list-invoices.server.ts";
import { type Cents, formatCents } from "#app/domain/money.ts";
import { formatCount, pluralize } from "#app/ui/format.ts";
import { Card } from "#app/ui/page-header.tsx";
import type { Column } from "#app/ui/table/column.ts";
import { DataTable } from "#app/ui/table/data-table.tsx";
import { Pagination } from "#app/ui/table/pagination.tsx";
import { RowTitle } from "#app/ui/table/row-title.tsx";

const pageSize = 500;

/** The invoice's lines and their total. */
export function InvoiceLines({
  lines,
  after,
  of,
  amount,
}: {
  lines: readonly InvoiceLine[];
  after: number;
  of: number;
  amount: Cents;
}) {
  const last = lines.at(-1)?.number ?? 0;
  return (
    <Card title="Line items" flush>
      <DataTable
        caption="Line items on this invoice"
        columns={columns}
        rows={lines.map((line) => ({ ...line, id: String(line.number) }))}
        totals={{ id: "total", number: 0, description: "Total", amount }}
      />
      <Pagination
        shown={
          lines.length === of
            ? pluralize(of, "line")
            : `${formatCount(after + 1)}–${formatCount(last)} of ${formatCount(of)} line items`
        }
        previous={after > 0 ? `?after=${Math.max(0, after - pageSize)}` : undefined}
        next={last > 0 && last < of ? `?after=${last}` : undefined}
      />
    </Card>
  );
}

const columns: Column<InvoiceLine & { id: string }>[] = [
  { header: "Campaign", place: "title", cell: ({ description }) => <RowTitle name={description} /> },
  { header: "Amount", place: "amount", align: "right", cell: ({ amount }) => formatCents(amount) },
];

import type { InvoiceLine } from "#app/domain/billing/invoices/list-invoices.server.ts";
import { type Cents, formatCents } from "#app/domain/money.ts";
import { formatCount, formatNumberOf } from "#app/ui/format.ts";
import { Card } from "#app/ui/layout.tsx";
import { type Column, DataTable, Pagination } from "#app/ui/table.tsx";

const pageSize = 500;

/** What the invoice is made of, with its total. */
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
    <Card title="Lines" flush>
      <DataTable
        caption="What this invoice asks for"
        columns={columns}
        rows={lines.map((line) => ({ ...line, id: String(line.number) }))}
        totals={{ id: "total", number: 0, description: "Total", amount }}
      />
      <Pagination
        shown={
          lines.length === of
            ? formatNumberOf(of, "line")
            : `${formatCount(after + 1)}–${formatCount(last)} of ${formatCount(of)} lines`
        }
        previous={after > 0 ? `?after=${Math.max(0, after - pageSize)}` : undefined}
        next={last > 0 && last < of ? `?after=${last}` : undefined}
      />
    </Card>
  );
}

const columns: Column<InvoiceLine & { id: string }>[] = [
  { head: "Campaign", wide: true, cell: ({ description }) => <strong>{description}</strong> },
  { head: "Amount", right: true, cell: ({ amount }) => formatCents(amount) },
];

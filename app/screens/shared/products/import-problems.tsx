import { Download } from "lucide-react";
import type { ImportProblem } from "#app/domain/catalog/imports/catalog-import.ts";
import { type PortalBase, portalHref } from "#app/portal/href.ts";
import { Badge } from "#app/ui/badge.tsx";
import { formatCount } from "#app/ui/format.ts";
import { Card } from "#app/ui/layout.tsx";
import { DataTable } from "#app/ui/table.tsx";

/** What was wrong or odd, row by row; all of it is in the report. */
export function ImportProblems({
  id,
  base,
  problems,
  count,
}: {
  id: string;
  base: PortalBase;
  problems: readonly (ImportProblem & { number: number })[];
  count: number;
}) {
  if (count === 0) return <Card title="Rows to look at">None: every row could be read.</Card>;
  return (
    <Card
      title="Rows to look at"
      flush
      aside={
        <a className="button" href={portalHref(base, `/products/imports/${id}/report.csv`)} download>
          <Download className="icon" aria-hidden />
          Download as CSV
        </a>
      }
      foot={count > problems.length ? `${formatCount(count - problems.length)} more are in the download` : undefined}
    >
      <DataTable
        caption="Rows to look at"
        rows={problems.map((problem) => ({ ...problem, id: String(problem.number) }))}
        columns={[
          { head: "Row", right: true, cell: ({ row }) => formatCount(row) },
          {
            head: "Result",
            cell: ({ kind }) =>
              kind === "rejected" ? <Badge tone="bad">Rejected</Badge> : <Badge tone="warn">Warning</Badge>,
          },
          { head: "SKU", cell: ({ sku }) => <span className="sku">{sku ?? "–"}</span> },
          { head: "Column", cell: ({ column }) => column || "–" },
          {
            head: "What is wrong",
            wide: true,
            cell: ({ message }) => <span className="wrap-anywhere">{message}</span>,
          },
        ]}
      />
    </Card>
  );
}

import { type ImportProblem, importLimits } from "#app/domain/catalog/imports/catalog-import.ts";
import { type PortalBase, portalHref } from "#app/portal/portal-href.ts";
import { Badge } from "#app/ui/badge.tsx";
import { formatCount } from "#app/ui/format.ts";
import { Icon } from "#app/ui/icon.tsx";
import { Card } from "#app/ui/page-header.tsx";
import { DataTable } from "#app/ui/table/data-table.tsx";
import { NumberedCell } from "#app/ui/table/numbered-cell.tsx";
import type { LoadedImport } from "./load-import.server.ts";

/** Errors and warnings by row; the report has all of them. */
export function ImportProblems({
  shown: { id, rejected, warned },
  base,
  problems,
  count,
}: {
  shown: Pick<LoadedImport["shown"], "id" | "rejected" | "warned">;
  base: PortalBase;
  problems: readonly (ImportProblem & { number: number })[];
  count: number;
}) {
  if (count === 0 && rejected + warned > 0)
    return <Card title="Rows with problems">Their list was deleted after {importLimits.problemDays} days.</Card>;
  if (count === 0) return <Card title="Rows with problems">None. Every row was read.</Card>;
  return (
    <Card
      title="Rows with problems"
      flush
      aside={
        <a className="button" href={portalHref(base, `/products/imports/${id}/report.csv`)}>
          <Icon name="download" className="icon" />
          Download as CSV
        </a>
      }
      foot={
        count > problems.length ? `Download the CSV to see ${formatCount(count - problems.length)} more` : undefined
      }
    >
      <DataTable
        caption="Rows with problems"
        rows={problems.map((problem) => ({ ...problem, id: String(problem.number) }))}
        columns={[
          {
            header: "Row",
            align: "right",
            place: "amount",
            width: 80,
            cell: ({ row }) => <NumberedCell name="Row" number={row} />,
          },
          {
            header: "Result",
            place: "status",
            cell: ({ kind }) =>
              kind === "rejected" ? <Badge tone="bad">Rejected</Badge> : <Badge tone="warn">Warning</Badge>,
          },
          { header: "SKU", priority: 1, width: 160, cell: ({ sku }) => <span className="sku">{sku ?? "–"}</span> },
          {
            header: "Column",
            priority: 2,
            cell: ({ column }) => (
              <span className="cut" title={column}>
                {column || "–"}
              </span>
            ),
          },
          {
            header: "Problem",
            place: "title",
            wraps: true,
            width: 300,
            cell: ({ message }) => message,
          },
        ]}
      />
    </Card>
  );
}

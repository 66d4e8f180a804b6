import { dialectLabels } from "#app/domain/catalog/imports/catalog-import.ts";
import type { ListedImport } from "#app/domain/catalog/imports/list-imports.server.ts";
import { ImportStatusBadge } from "#app/screens/shared/products/import-status-badge.tsx";
import { formatCount } from "#app/ui/format.ts";
import { Card, EmptyState } from "#app/ui/page-header.tsx";
import { DataTable } from "#app/ui/table/data-table.tsx";
import { RowTitle } from "#app/ui/table/row-title.tsx";
import { useTimeFormats } from "#app/ui/time/use-time-formats.ts";

/** The latest files and their results; each links to its page. */
export function ImportList({
  imports,
  importHref,
}: {
  imports: readonly ListedImport[];
  importHref: (id: string) => string;
}) {
  const { formatDateTime } = useTimeFormats();
  return (
    <Card title="Imports" flush>
      {imports.length === 0 ? (
        <EmptyState icon="file-spreadsheet" title="No imports yet">
          Each file opens as a preview first, so you can check every row and fix problems before you import.
        </EmptyState>
      ) : (
        <DataTable
          caption="Imports"
          rows={imports}
          columns={[
            {
              header: "File",
              place: "title",
              cell: ({ id, fileName, dialect, createdAt }) => (
                <RowTitle
                  name={fileName ?? "Import"}
                  to={importHref(id)}
                  detail={[formatDateTime(createdAt), dialect ? dialectLabels[dialect] : ""]
                    .filter(Boolean)
                    .join(" · ")}
                />
              ),
            },
            {
              header: "Status",
              place: "status",
              width: 150,
              cell: ({ status, commitRequested, created, updated }) => (
                <ImportStatusBadge status={status} commitRequested={commitRequested} products={created + updated} />
              ),
            },
            { header: "Rows", place: "amount", align: "right", cell: ({ rowsRead }) => formatCount(rowsRead) },
            {
              header: "New and updated",
              priority: 1,
              width: 150,
              align: "right",
              cell: ({ created, updated }) => `${formatCount(created)} + ${formatCount(updated)}`,
            },
            { header: "Rejected", align: "right", priority: 2, cell: ({ rejected }) => formatCount(rejected) },
          ]}
        />
      )}
    </Card>
  );
}

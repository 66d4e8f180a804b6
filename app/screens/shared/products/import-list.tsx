import { Link } from "@remix-run/react";
import { FileSpreadsheet } from "lucide-react";
import { dialectLabels } from "#app/domain/catalog/imports/catalog-import.ts";
import type { ListedImport } from "#app/domain/catalog/imports/list-imports.server.ts";
import { formatCount, formatInstant } from "#app/ui/format.ts";
import { Card, EmptyState } from "#app/ui/layout.tsx";
import { DataTable } from "#app/ui/table.tsx";
import { ImportStatusBadge } from "./import-words.tsx";

/** The last files and what came of them; each has its page. */
export function ImportList({
  imports,
  importHref,
}: {
  imports: readonly ListedImport[];
  importHref: (id: string) => string;
}) {
  return (
    <Card title="Imports" flush>
      {imports.length === 0 ? (
        <EmptyState icon={FileSpreadsheet} title="No imports yet">
          Each file is a preview first: what every row would do, and what is wrong with it. Then you import it.
        </EmptyState>
      ) : (
        <DataTable
          caption="Imports"
          rows={imports}
          columns={[
            {
              head: "File",
              wide: true,
              cell: ({ id, fileName, dialect, createdAt }) => (
                <>
                  <Link className="row-link wrap-anywhere" to={importHref(id)} prefetch="intent">
                    {fileName ?? "Import"}
                  </Link>
                  <small>
                    {[formatInstant(createdAt), dialect ? dialectLabels[dialect] : ""].filter(Boolean).join(" · ")}
                  </small>
                </>
              ),
            },
            {
              head: "Status",
              cell: ({ status, committed }) => <ImportStatusBadge status={status} committed={committed} />,
            },
            { head: "Rows", right: true, cell: ({ rowsRead }) => formatCount(rowsRead) },
            {
              head: "New and updated",
              right: true,
              cell: ({ created, updated }) => `${formatCount(created)} + ${formatCount(updated)}`,
            },
            { head: "Rejected", right: true, cell: ({ rejected }) => formatCount(rejected) },
          ]}
        />
      )}
    </Card>
  );
}

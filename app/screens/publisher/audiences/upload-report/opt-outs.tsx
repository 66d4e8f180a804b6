import type { OptOutCount } from "#app/domain/audiences/files/opt-out-counts.ts";
import { formatCount, pluralize } from "#app/ui/format.ts";
import { Card } from "#app/ui/page-header.tsx";
import { DataTable } from "#app/ui/table/data-table.tsx";

/** The rows that were left out because people opted out, by the column that says so. */
export function OptOuts({ counts, rows }: { counts: readonly OptOutCount[]; rows: number }) {
  return (
    <Card title="People who opted out" flush>
      <DataTable
        caption={`${pluralize(rows, "row")} left out, by column`}
        rows={counts.map((count) => ({ ...count, id: count.column }))}
        columns={[
          {
            header: "Column",
            place: "title",
            wraps: true,
            cell: (count) => (
              <>
                {count.column}
                <Details count={count} />
              </>
            ),
          },
          {
            header: "Identifiers left out",
            priority: 1,
            align: "right",
            cell: ({ identifiers }) => formatCount(identifiers),
          },
          { header: "Rows left out", place: "amount", align: "right", cell: (count) => formatCount(count.rows) },
        ]}
      />
      <p className="hint card-body">
        A column about email or phone leaves out only that identifier, and the row is imported by the other. To import
        these people anyway, upload the file again and confirm that you may use their data.
      </p>
    </Card>
  );
}

function Details({ count: { blank, unclear, values } }: { count: OptOutCount }) {
  const details = [
    blank > 0 ? `${formatCount(blank)} without an answer` : "",
    unclear > 0 ? `${formatCount(unclear)} not understood, such as ${values.join(", ")}` : "",
  ].filter(Boolean);
  return details.length > 0 ? <small className="block font-normal text-muted">{details.join("; ")}</small> : null;
}

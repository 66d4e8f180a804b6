import { invalidReasonLabels, type UploadFile, type UploadProblem } from "#app/domain/audiences/audience.ts";
import type { Upload } from "#app/domain/audiences/uploads/get-upload.server.ts";
import { formatCount, pluralize } from "#app/ui/format.ts";
import { Icon } from "#app/ui/icon.tsx";
import { Card } from "#app/ui/page-header.tsx";
import { DataTable } from "#app/ui/table/data-table.tsx";
import { NumberedCell } from "#app/ui/table/numbered-cell.tsx";

type Reason = { id: string; label: string; count: number };

/** The number of rejected rows by reason, with a link to the full report. */
export function InvalidRowReasons({ upload, reportHref }: { upload: Omit<Upload, "problems">; reportHref: string }) {
  const { rowsBlank, rowsInvalid, invalidByReason } = upload;
  const counts = Object.entries(invalidReasonLabels).flatMap(([reason, label]): Reason[] => {
    const count = Object.entries(invalidByReason).find(([one]) => one === reason)?.[1] ?? 0;
    return count > 0 ? [{ id: reason, label, count }] : [];
  });
  if (rowsBlank > 0) counts.push({ id: "blank", label: "Blank: no email address or phone number", count: rowsBlank });
  return (
    <Card
      title="Skipped rows"
      flush={counts.length > 0}
      aside={
        <a className="button" href={reportHref}>
          <Icon name="download" className="icon" />
          Download as CSV
        </a>
      }
    >
      {counts.length === 0 ? (
        upload.rowsOptedOut > 0 ? (
          "None other than people who opted out."
        ) : (
          "None. Every row was read."
        )
      ) : (
        <DataTable
          caption={`${pluralize(rowsInvalid + rowsBlank, "skipped row")}, by reason`}
          rows={counts}
          columns={[
            { header: "Reason", place: "title", wraps: true, cell: ({ label }) => label },
            { header: "Rows", place: "amount", align: "right", cell: ({ count }) => formatCount(count) },
          ]}
        />
      )}
    </Card>
  );
}

/** The first rejected rows with their line numbers; the values are masked. */
export function InvalidRows({
  files,
  problems,
  count,
}: {
  files: readonly UploadFile[];
  problems: readonly UploadProblem[];
  count: number;
}) {
  return (
    <Card title="Skipped rows by line" flush>
      <DataTable
        caption="Skipped rows"
        rows={problems.map((problem, index) => ({ ...problem, id: String(index) }))}
        columns={[
          ...(files.length > 1 ? [fileColumn(files)] : []),
          {
            header: "Line",
            place: "status",
            align: "right",
            width: 80,
            cell: ({ line }) => <NumberedCell name="Line" number={line} />,
          },
          { header: "Reason", place: "title", wraps: true, cell: ({ reason }) => invalidReasonLabels[reason] },
          {
            header: "Value",
            place: "amount",
            width: 180,
            cell: ({ value }) => (
              <code className="cut" title={value}>
                {value}
              </code>
            ),
          },
        ]}
      />
      {count > problems.length ? (
        <p className="hint card-body">Download the CSV to see {formatCount(count - problems.length)} more.</p>
      ) : null}
    </Card>
  );
}

function fileColumn(files: readonly UploadFile[]) {
  return {
    header: "File",
    priority: 1,
    width: 170,
    cell: ({ file }: UploadProblem) => {
      const name = files[file]?.name ?? `File ${file + 1}`;
      return (
        <span className="cut" title={name}>
          {name}
        </span>
      );
    },
  };
}

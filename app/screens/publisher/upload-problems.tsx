import { Download } from "lucide-react";
import { invalidReasons, type UploadFile, type UploadProblem } from "#app/domain/audiences/audience.ts";
import type { Upload } from "#app/domain/audiences/get-upload.server.ts";
import { formatCount, formatNumberOf } from "#app/ui/format.ts";
import { Card } from "#app/ui/layout.tsx";
import { DataTable } from "#app/ui/table.tsx";

type Reason = { id: string; label: string; count: number };

/** How many rows were not taken for which reason; all of the report can be taken along. */
export function ProblemReasons({ upload, reportHref }: { upload: Omit<Upload, "problems">; reportHref: string }) {
  const { rowsBlank, rowsInvalid, invalidByReason } = upload;
  const counts = Object.entries(invalidReasons).flatMap(([reason, label]): Reason[] => {
    const count = Object.entries(invalidByReason).find(([one]) => one === reason)?.[1] ?? 0;
    return count > 0 ? [{ id: reason, label, count }] : [];
  });
  if (rowsBlank > 0)
    counts.push({ id: "blank", label: "Blank: neither an e-mail address nor a phone", count: rowsBlank });
  return (
    <Card
      title="Rows that were not taken"
      flush={counts.length > 0}
      aside={
        <a className="button" href={reportHref} download>
          <Download className="icon" aria-hidden />
          Download as CSV
        </a>
      }
    >
      {counts.length === 0 ? (
        "None: every row could be read."
      ) : (
        <DataTable
          caption={`${formatNumberOf(rowsInvalid + rowsBlank, "row")} that were not taken, by reason`}
          rows={counts}
          columns={[
            { head: "Reason", wide: true, cell: ({ label }) => label },
            { head: "Rows", right: true, cell: ({ count }) => formatCount(count) },
          ]}
        />
      )}
    </Card>
  );
}

/** The first of them, with where they stand; what stood there is masked. */
export function ProblemRows({
  files,
  problems,
  count,
}: {
  files: readonly UploadFile[];
  problems: readonly UploadProblem[];
  count: number;
}) {
  return (
    <Card title="Where they stand" flush>
      <DataTable
        caption="Rows that were not taken"
        rows={problems.map((problem) => ({ ...problem, id: `${problem.file}-${problem.line}` }))}
        columns={[
          ...(files.length > 1 ? [fileColumn(files)] : []),
          { head: "Line", right: true, cell: ({ line }) => formatCount(line) },
          { head: "Reason", cell: ({ reason }) => invalidReasons[reason] },
          { head: "Value", cell: ({ value }) => <code>{value}</code> },
        ]}
      />
      {count > problems.length ? (
        <p className="hint card-body">{formatCount(count - problems.length)} more are in the download.</p>
      ) : null}
    </Card>
  );
}

function fileColumn(files: readonly UploadFile[]) {
  return {
    head: "File",
    cell: ({ file }: UploadProblem) => <span className="wrap-anywhere">{files[file]?.name ?? `File ${file + 1}`}</span>,
  };
}

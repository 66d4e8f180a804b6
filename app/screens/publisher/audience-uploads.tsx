import { Link } from "@remix-run/react";
import { Upload } from "lucide-react";
import { uploadModeLabels } from "#app/domain/audiences/audience.ts";
import type { AudienceUpload } from "#app/domain/audiences/list-audience-changes.server.ts";
import { formatCount, formatInstant, formatNumberOf } from "#app/ui/format.ts";
import { Card, EmptyState } from "#app/ui/layout.tsx";
import { DataTable } from "#app/ui/table.tsx";
import { UploadStatusBadge } from "./audience-words.tsx";

/** The uploads with what came of them; each has its report. */
export function UploadList({
  uploads,
  reportHref,
}: {
  uploads: readonly AudienceUpload[];
  reportHref: (id: string) => string;
}) {
  return (
    <Card title="Uploads" flush>
      {uploads.length === 0 ? (
        <EmptyState icon={Upload} title="No uploads yet">
          Each upload has a report here: rows read, invalid ones by reason, duplicates, people added.
        </EmptyState>
      ) : (
        <DataTable
          caption="Uploads"
          rows={uploads}
          columns={[
            {
              head: "Upload",
              wide: true,
              cell: (upload) => (
                <>
                  <Link className="row-link wrap-anywhere" to={reportHref(upload.id)} prefetch="intent">
                    {wordsOfFiles(upload)}
                  </Link>
                  <small>{formatInstant(upload.createdAt)}</small>
                  {upload.error ? <small className="line-clamp-2 wrap-anywhere">{upload.error}</small> : null}
                </>
              ),
            },
            { head: "Mode", cell: ({ mode }) => uploadModeLabels[mode] },
            { head: "Status", cell: ({ status }) => <UploadStatusBadge status={status} /> },
            {
              head: "Rows",
              right: true,
              cell: ({ rowsRead, rowsInvalid }) => (
                <>
                  {formatCount(rowsRead)}
                  {rowsInvalid > 0 ? (
                    <small className="whitespace-nowrap">{formatCount(rowsInvalid)} invalid</small>
                  ) : null}
                </>
              ),
            },
            { head: "People", right: true, cell: (upload) => <Change {...upload} /> },
          ]}
        />
      )}
    </Card>
  );
}

/** People who came and went. */
export function Change({ peopleAdded, peopleRemoved }: { peopleAdded: number; peopleRemoved: number }) {
  if (peopleAdded === 0 && peopleRemoved === 0) return "–";
  return (
    <span className="whitespace-nowrap">
      {peopleAdded > 0 ? `+${formatCount(peopleAdded)}` : ""}
      {peopleAdded > 0 && peopleRemoved > 0 ? " " : ""}
      {peopleRemoved > 0 ? `−${formatCount(peopleRemoved)}` : ""}
    </span>
  );
}

function wordsOfFiles({ files }: AudienceUpload): string {
  const [first] = files;
  if (!first) return "Upload";
  return files.length === 1 ? first.name : `${first.name} and ${formatNumberOf(files.length - 1, "more file")}`;
}

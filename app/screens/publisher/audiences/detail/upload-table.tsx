import { type UploadSort, uploadModeLabels } from "#app/domain/audiences/audience.ts";
import type { AudienceUpload } from "#app/domain/audiences/list-audience-versions.server.ts";
import { UploadStatusBadge } from "#app/screens/publisher/audiences/audience-badges.tsx";
import { formatCount, pluralize } from "#app/ui/format.ts";
import { Card, EmptyState } from "#app/ui/page-header.tsx";
import { DataTable } from "#app/ui/table/data-table.tsx";
import { RowTitle } from "#app/ui/table/row-title.tsx";
import { type ListSort, sortLink } from "#app/ui/table/sort-link.ts";
import { SortSelect } from "#app/ui/table/sort-select.tsx";
import { useTimeFormats } from "#app/ui/time/use-time-formats.ts";

const sortLabels: Record<UploadSort, string> = {
  newest: "Newest first",
  oldest: "Oldest first",
  rows: "Most rows",
  people: "Most people",
};

/** The uploads and their results; each links to its report. */
export function UploadTable({
  uploads,
  list,
  reportHref,
}: {
  uploads: readonly AudienceUpload[];
  list: ListSort<UploadSort>;
  reportHref: (id: string) => string;
}) {
  const { formatDateTime } = useTimeFormats();
  return (
    <Card id="uploads" title="Uploads" flush>
      {uploads.length === 0 ? (
        <EmptyState icon="upload" title="No uploads yet">
          Each upload report shows rows read, invalid rows by reason, duplicates and people added.
        </EmptyState>
      ) : (
        <DataTable
          caption="Uploads"
          sortSelect={<SortSelect name="uploads" anchor="uploads" sort={list.sort} labels={sortLabels} />}
          rows={uploads}
          columns={[
            {
              header: "Upload",
              sort: sortLink(list, { descending: "newest", ascending: "oldest" }),
              place: "title",
              cell: (upload) => (
                <RowTitle
                  name={describeFiles(upload)}
                  to={reportHref(upload.id)}
                  detail={[upload.error, formatDateTime(upload.createdAt)].filter(Boolean).join(" · ")}
                />
              ),
            },
            { header: "Mode", priority: 2, cell: ({ mode }) => uploadModeLabels[mode] },
            { header: "Status", place: "status", cell: ({ status }) => <UploadStatusBadge status={status} /> },
            {
              header: "Rows",
              sort: sortLink(list, { descending: "rows" }),
              priority: 1,
              align: "right",
              cell: ({ rowsRead, rowsInvalid }) => (
                <>
                  {formatCount(rowsRead)}
                  {rowsInvalid > 0 ? (
                    <small className="whitespace-nowrap">{formatCount(rowsInvalid)} invalid</small>
                  ) : null}
                </>
              ),
            },
            {
              header: "People",
              sort: sortLink(list, { descending: "people" }),
              place: "amount",
              align: "right",
              cell: (upload) => <PeopleDelta {...upload} />,
            },
          ]}
        />
      )}
    </Card>
  );
}

/** The number of people added and removed. */
export function PeopleDelta({ peopleAdded, peopleRemoved }: { peopleAdded: number; peopleRemoved: number }) {
  if (peopleAdded === 0 && peopleRemoved === 0) return "–";
  return (
    <span className="whitespace-nowrap">
      {peopleAdded > 0 ? `+${formatCount(peopleAdded)}` : ""}
      {peopleAdded > 0 && peopleRemoved > 0 ? " " : ""}
      {peopleRemoved > 0 ? `−${formatCount(peopleRemoved)}` : ""}
    </span>
  );
}

function describeFiles({ files }: AudienceUpload): string {
  const [first] = files;
  if (!first) return "Upload";
  return files.length === 1 ? first.name : `${first.name} and ${pluralize(files.length - 1, "more file")}`;
}

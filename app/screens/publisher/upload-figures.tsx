import type { Upload } from "#app/domain/audiences/get-upload.server.ts";
import { formatBytes, formatCount, formatNumberOf } from "#app/ui/format.ts";
import { Card, Facts } from "#app/ui/layout.tsx";
import { type Stat, StatTiles } from "#app/ui/stat-tile.tsx";
import { UploadStatusBadge } from "./audience-words.tsx";

type Figures = Omit<Upload, "problems">;

/** What a finished upload did to the audience. */
export function UploadTiles({ upload }: { upload: Figures }) {
  const { mode, files, rowsRead, rowsInvalid, rowsBlank, duplicates, peopleAdded, peopleRemoved, size } = upload;
  const removed: Stat = { label: "People removed", value: formatCount(peopleRemoved) };
  const added: Stat = {
    label: "People added",
    value: formatCount(peopleAdded),
    note: mode === "replace" ? `${formatCount(peopleRemoved)} others removed` : undefined,
  };
  return (
    <StatTiles
      stats={[
        {
          label: "Rows read",
          value: formatCount(rowsRead),
          note: files.length > 0 ? `in ${formatNumberOf(files.length, "file")}` : undefined,
        },
        mode === "remove" ? removed : added,
        ...(mode === "remove" ? [] : [{ label: "Duplicates", value: formatCount(duplicates), note: "counted once" }]),
        { label: "Invalid", value: formatCount(rowsInvalid), note: `and ${formatCount(rowsBlank)} blank` },
        { label: "Audience size", value: size === null ? "–" : formatCount(size), note: "distinct people" },
      ]}
    />
  );
}

/** What was sent. */
export function FilesAndRows({ upload }: { upload: Figures }) {
  const { status, files, droppedColumns } = upload;
  return (
    <Card title="Files" aside={<UploadStatusBadge status={status} />}>
      {files.length === 0 ? (
        <p className="hint">{status === "running" ? "They are named here once they are read." : "None was read."}</p>
      ) : (
        <Facts
          facts={[
            ...files.map((file, index) => ({
              label: `File ${index + 1}`,
              value: (
                <span className="wrap-anywhere">
                  {file.name}
                  {file.bytes > 0 ? (
                    <small className="block font-normal text-muted">
                      {formatNumberOf(file.rows, "row")}, {formatBytes(file.bytes)}
                    </small>
                  ) : null}
                </span>
              ),
              wide: true,
            })),
            ...(status === "succeeded"
              ? [{ label: "Columns dropped", value: droppedColumns.join(", ") || "None", wide: true }]
              : []),
          ]}
        />
      )}
    </Card>
  );
}

import type { Upload } from "#app/domain/audiences/uploads/get-upload.server.ts";
import { UploadStatusBadge } from "#app/screens/publisher/audiences/audience-badges.tsx";
import { encodingSourceLabels, type ReadEncoding, textEncodingLabels } from "#app/sheets/text/encodings.ts";
import { formatBytes, formatCount, pluralize } from "#app/ui/format.ts";
import { Card, DescriptionList } from "#app/ui/page-header.tsx";
import { type Stat, StatTiles } from "#app/ui/stat-tiles.tsx";

type Figures = Omit<Upload, "problems">;

/** How an upload changed the audience. */
export function UploadTiles({ upload }: { upload: Figures }) {
  const { mode, files, rowsRead, rowsInvalid, rowsBlank, rowsOptedOut, duplicates, peopleAdded, peopleRemoved, size } =
    upload;
  const removed: Stat = { label: "People removed", value: formatCount(peopleRemoved) };
  const added: Stat = {
    label: "People added",
    value: formatCount(peopleAdded),
    note: mode === "replace" ? `${formatCount(peopleRemoved)} other people removed` : undefined,
  };
  return (
    <StatTiles
      stats={[
        {
          label: "Rows read",
          value: formatCount(rowsRead),
          note: files.length > 0 ? `in ${pluralize(files.length, "file")}` : undefined,
        },
        mode === "remove" ? removed : added,
        ...(mode === "remove" ? [] : [{ label: "Duplicates", value: formatCount(duplicates), note: "counted once" }]),
        ...(rowsOptedOut > 0 ? [{ label: "Opted out", value: formatCount(rowsOptedOut), note: "rows left out" }] : []),
        { label: "Invalid", value: formatCount(rowsInvalid), note: `plus ${formatCount(rowsBlank)} blank` },
        { label: "Audience size", value: size === null ? "–" : formatCount(size), note: "distinct people" },
      ]}
    />
  );
}

/** The uploaded files. */
export function UploadedFiles({ upload }: { upload: Figures }) {
  const { status, files, droppedColumns } = upload;
  return (
    <Card title="Files" aside={<UploadStatusBadge status={status} />}>
      {files.length === 0 ? (
        <p className="hint">{status === "running" ? "Files appear here once they are read." : "No files were read."}</p>
      ) : (
        <DescriptionList
          facts={[
            ...files.map((file, index) => ({
              label: `File ${index + 1}`,
              value: (
                <span className="wrap-anywhere">
                  {file.name}
                  {file.bytes > 0 ? (
                    <small className="block font-normal text-muted">
                      {pluralize(file.rows, "row")}, {formatBytes(file.bytes)}
                    </small>
                  ) : null}
                  {file.encoding ? <EncodingFacts read={file.encoding} /> : null}
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

/** The encoding of a text file, with its letters beyond ASCII: whether it is right shows in them alone. */
function EncodingFacts({ read: { encoding, source, characters } }: { read: ReadEncoding }) {
  if (characters === "") return null;
  return (
    <small className="block font-normal text-muted">
      {`Read as ${textEncodingLabels[encoding]}, ${encodingSourceLabels[source]}. Letters and signs in it: ${[...characters].join(" ")}`}
      {source === "detected" && encoding !== "utf-8"
        ? ". If they look wrong, upload the file again and choose its text encoding."
        : ""}
    </small>
  );
}

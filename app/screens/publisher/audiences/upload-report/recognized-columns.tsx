import type { UploadFile } from "#app/domain/audiences/audience.ts";
import { columnUseLabels, type FileLayout, identifierOf } from "#app/domain/audiences/files/column-uses.ts";
import { LinkButton } from "#app/ui/button.tsx";
import { Card } from "#app/ui/page-header.tsx";

const mappedByHints: Record<FileLayout["mappedBy"], string> = {
  detection: "Detected by the names of the columns.",
  account: "Read with the columns that you saved for files like this.",
  upload: "Read with the mapping that was sent with the upload.",
};

/** What the columns of each file were read as, with the way to choose otherwise. */
export function RecognizedColumns({ files, href }: { files: readonly UploadFile[]; href: string }) {
  return files.map(({ name, layout }, index) =>
    layout ? (
      <Card
        // biome-ignore lint/suspicious/noArrayIndexKey: files of an upload don't move, and names are not unique
        key={index}
        title={files.length > 1 ? `Columns of ${name}` : "Columns"}
        aside={
          <LinkButton to={`${href}/columns?file=${index}`} variant={hasPeople(layout) ? "secondary" : "primary"}>
            Choose columns
          </LinkButton>
        }
      >
        <Uses layout={layout} />
      </Card>
    ) : null,
  );
}

/** Whether the file has a column with people; without one it is rejected. */
function hasPeople({ columns }: FileLayout): boolean {
  return columns.some(({ use }) => identifierOf(use));
}

function Uses({ layout }: { layout: FileLayout }) {
  const { columns, headerless, mappedBy } = layout;
  if (!hasPeople(layout))
    return (
      <p className="hint">
        No column with an email address or a phone number was recognized. Choose which column holds what, then upload
        the file again.
      </p>
    );
  return (
    <>
      <ul className="field-list mb-3">
        {columns
          .filter(({ use }) => use !== "ignored")
          .map(({ name, use }, index) => (
            // biome-ignore lint/suspicious/noArrayIndexKey: columns don't move, and names are not unique
            <li key={index}>
              <strong className="wrap-anywhere">{name}</strong>
              <span className="hint text-right">{columnUseLabels[use]}</span>
            </li>
          ))}
      </ul>
      <p className="hint">
        {headerless && mappedBy === "detection" ? "Detected by the values of the first row." : mappedByHints[mappedBy]}
      </p>
    </>
  );
}

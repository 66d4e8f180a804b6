import { Form, Link, useNavigation } from "@remix-run/react";
import { Upload } from "lucide-react";
import { type UploadMode, uploadModeLabels, uploadModes } from "#app/domain/audiences/audience.ts";
import type { AudienceUpload } from "#app/domain/audiences/list-audience-changes.server.ts";
import { Button } from "#app/ui/button.tsx";
import { ChoiceField } from "#app/ui/field.tsx";
import { formatCount, formatInstant, formatNumberOf } from "#app/ui/format.ts";
import { Card, EmptyState } from "#app/ui/layout.tsx";
import { DataTable } from "#app/ui/table.tsx";
import { AudienceFileField } from "./audience-files.tsx";
import { UploadStatusBadge } from "./audience-words.tsx";

const modeHints: Record<UploadMode, string> = {
  add: "New people join, the others stay",
  replace: "Only the people of the new files remain",
  remove: "The people of the files leave",
};

/** Sends files to the audience; the report follows. */
export function UploadForm({ to, formKey }: { to: string; formKey: string }) {
  const busy = useNavigation().formAction?.startsWith(to) ?? false;
  return (
    <section id="upload">
      <Card title="Upload files">
        <Form method="post" action={to} encType="multipart/form-data" className="form-grid">
          <input type="hidden" name="idempotency_key" value={formKey} />
          <ChoiceField
            type="radio"
            name="mode"
            label="What the files do"
            options={uploadModes.map((value) => ({ value, label: uploadModeLabels[value], hint: modeHints[value] }))}
            chosen={["add"]}
          />
          <AudienceFileField />
          <div className="actions justify-end">
            <Button variant="primary" icon={Upload} busy={busy} busyLabel="Uploading...">
              Upload
            </Button>
          </div>
        </Form>
      </Card>
    </section>
  );
}

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
                  {rowsInvalid > 0 ? <small>{formatCount(rowsInvalid)} invalid</small> : null}
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

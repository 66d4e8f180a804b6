import type { LoaderFunctionArgs, MetaFunction } from "@remix-run/node";
import { useLoaderData, useRevalidator } from "@remix-run/react";
import { Download } from "lucide-react";
import { useEffect } from "react";
import { invalidReasons, uploadModeLabels } from "#app/domain/audiences/audience.ts";
import { getUpload } from "#app/domain/audiences/get-upload.server.ts";
import type { UploadId } from "#app/domain/ids.ts";
import { pageTitle } from "#app/domain/product.ts";
import { enterPortal } from "#app/portal/enter-portal.server.ts";
import { portalHref } from "#app/portal/href.ts";
import { LinkButton } from "#app/ui/button.tsx";
import { formatCount, formatInstant } from "#app/ui/format.ts";
import { Breadcrumbs, Card, Facts, PageHeader } from "#app/ui/layout.tsx";
import { Notice } from "#app/ui/notice.tsx";
import { StatTiles } from "#app/ui/stat-tile.tsx";
import { DataTable } from "#app/ui/table.tsx";
import { idInAddress, orNotFoundPage } from "#app/web/not-found.server.ts";
import { UploadStatusBadge } from "./audience-words.tsx";

const shownProblems = 50;

export async function loader({ request, params, context }: LoaderFunctionArgs) {
  const { ctx, base } = await enterPortal(request, "publisher", context);
  const { problems, ...upload } = await orNotFoundPage(getUpload(ctx, idInAddress<UploadId>(params.upload)));
  return { base, upload, problems: problems.slice(0, shownProblems), problemCount: problems.length };
}

export default function UploadReport() {
  const { base, upload } = useLoaderData<typeof loader>();
  const audienceHref = portalHref(base, `/audiences/${upload.audienceId}`);
  const isRunning = upload.status === "running";
  useRefresh(isRunning);
  return (
    <>
      {isRunning ? (
        <noscript>
          <meta httpEquiv="refresh" content="3" />
        </noscript>
      ) : null}
      <Breadcrumbs
        trail={[
          { to: portalHref(base, "/audiences"), label: "Audiences" },
          { to: audienceHref, label: upload.audienceName },
        ]}
        here="Upload report"
      />
      <PageHeader
        title="Upload report"
        subtitle={`${uploadModeLabels[upload.mode]}, ${formatInstant(upload.createdAt)}`}
        actions={
          <LinkButton to={audienceHref} variant="primary">
            Back to the audience
          </LinkButton>
        }
      />
      <div className="stack">
        {isRunning ? (
          <Notice title="The upload is being merged">
            This page shows the result as soon as it is done. You can leave it.
          </Notice>
        ) : null}
        {upload.error ? (
          <Notice tone="bad" title="Nothing was changed">
            {upload.error}
          </Notice>
        ) : null}
        {upload.notes.map((note) => (
          <Notice key={note} tone="warn" title={note} />
        ))}
        <StatTiles
          stats={[
            { label: "People added", value: formatCount(upload.peopleAdded) },
            { label: "People removed", value: formatCount(upload.peopleRemoved) },
            { label: "Duplicates", value: formatCount(upload.duplicates) },
            {
              label: "Audience size",
              value: upload.size === null ? "–" : formatCount(upload.size),
              note: "distinct people",
            },
          ]}
        />
        <div className="split">
          <div className="stack">
            <Problems />
          </div>
          <div className="stack">
            <Rows />
          </div>
        </div>
      </div>
    </>
  );
}

function Rows() {
  const { upload } = useLoaderData<typeof loader>();
  return (
    <Card title="Files and rows" aside={<UploadStatusBadge status={upload.status} />}>
      <Facts
        facts={[
          ...upload.files.map((file, index) => ({
            label: `File ${index + 1}`,
            value: `${file.name}, ${formatCount(file.rows)} rows`,
            wide: true,
          })),
          { label: "Rows read", value: formatCount(upload.rowsRead) },
          { label: "Blank", value: formatCount(upload.rowsBlank) },
          { label: "Invalid", value: formatCount(upload.rowsInvalid) },
          { label: "Columns dropped", value: upload.droppedColumns.join(", ") || "None", wide: true },
        ]}
      />
    </Card>
  );
}

function Problems() {
  const { base, upload, problems, problemCount } = useLoaderData<typeof loader>();
  if (problems.length === 0)
    return <Card title="Rows that were not taken">None: every row that was not blank could be read.</Card>;
  return (
    <Card
      title="Rows that were not taken"
      flush
      aside={
        <a
          className="button"
          href={portalHref(base, `/audiences/${upload.audienceId}/uploads/${upload.id}/report.csv`)}
          download
        >
          <Download className="icon" aria-hidden />
          Download as CSV
        </a>
      }
    >
      <DataTable
        caption="Rows that were not taken"
        rows={problems.map((problem) => ({ ...problem, id: `${problem.file}-${problem.line}` }))}
        columns={[
          { head: "File", cell: ({ file }) => upload.files[file]?.name ?? `File ${file + 1}` },
          { head: "Line", right: true, cell: ({ line }) => formatCount(line) },
          { head: "Reason", cell: ({ reason }) => invalidReasons[reason] },
          { head: "Value", cell: ({ value }) => <code>{value}</code> },
        ]}
      />
      {problemCount > problems.length ? (
        <p className="hint card-body">{formatCount(problemCount - problems.length)} more are in the download.</p>
      ) : null}
    </Card>
  );
}

/** Asks again every two seconds while the upload runs. */
function useRefresh(active: boolean): void {
  const { revalidate } = useRevalidator();
  useEffect(() => {
    if (!active) return;
    const timer = setInterval(revalidate, 2_000);
    return () => clearInterval(timer);
  }, [active, revalidate]);
}

export const meta: MetaFunction = () => [{ title: pageTitle("Upload report") }];

import type { LoaderFunctionArgs, MetaFunction } from "@remix-run/node";
import { useLoaderData } from "@remix-run/react";
import { uploadModeLabels } from "#app/domain/audiences/audience.ts";
import { getUpload } from "#app/domain/audiences/uploads/get-upload.server.ts";
import { pageTitle } from "#app/domain/branding.ts";
import type { UploadId } from "#app/domain/ids.ts";
import { portalHref } from "#app/portal/portal-href.ts";
import { requirePortalAccess } from "#app/portal/require-portal-access.server.ts";
import { PollWhile } from "#app/screens/shared/forms/poll-while.tsx";
import { LinkButton } from "#app/ui/button.tsx";
import { Notice } from "#app/ui/notice.tsx";
import { Breadcrumbs, PageHeader } from "#app/ui/page-header.tsx";
import { useTimeFormats } from "#app/ui/time/use-time-formats.ts";
import { orThrow404, requireIdParam } from "#app/web/not-found.server.ts";
import { InvalidRowReasons, InvalidRows } from "./invalid-rows.tsx";
import { OptOuts } from "./opt-outs.tsx";
import { RecognizedColumns } from "./recognized-columns.tsx";
import { UploadedFiles, UploadTiles } from "./upload-stats.tsx";

const shownProblems = 25;

export async function loader({ request, params, context }: LoaderFunctionArgs) {
  const { ctx, base } = await requirePortalAccess(request, "publisher", context);
  const { problems, ...upload } = await orThrow404(getUpload(ctx, requireIdParam<UploadId>(params.upload)));
  return { base, upload, problems: problems.slice(0, shownProblems), problemCount: problems.length };
}

export default function UploadReport() {
  const { formatDateTime } = useTimeFormats();
  const { base, upload, problems, problemCount } = useLoaderData<typeof loader>();
  const { status, mode, createdAt, audienceId, audienceName } = upload;
  const audienceHref = portalHref(base, `/audiences/${audienceId}`);
  const isRead = upload.rowsRead > 0;
  return (
    <>
      <Breadcrumbs
        trail={[
          { to: portalHref(base, "/audiences"), label: "Audiences" },
          { to: audienceHref, label: audienceName },
        ]}
        here="Upload report"
      />
      <PageHeader
        title="Upload report"
        subtitle={`${uploadModeLabels[mode]} · ${formatDateTime(createdAt)}`}
        actions={
          <>
            {status === "failed" ? <LinkButton to={`${audienceHref}/uploads`}>Upload other files</LinkButton> : null}
            <LinkButton to={audienceHref} variant={status === "failed" ? "secondary" : "primary"}>
              Back to the audience
            </LinkButton>
          </>
        }
      />
      <div className="stack">
        <Outcome />
        {status === "succeeded" ? <UploadTiles upload={upload} /> : null}
        <div className={isRead ? "main-and-aside" : "stack"}>
          {isRead ? (
            <div className="stack">
              <InvalidRowReasons upload={upload} reportHref={`${audienceHref}/uploads/${upload.id}/report.csv`} />
              {upload.optOuts.length > 0 ? <OptOuts counts={upload.optOuts} rows={upload.rowsOptedOut} /> : null}
              {problems.length > 0 ? (
                <InvalidRows files={upload.files} problems={problems} count={problemCount} />
              ) : null}
            </div>
          ) : null}
          <div className="stack">
            <UploadedFiles upload={upload} />
            {upload.source === "file" ? (
              <RecognizedColumns files={upload.files} href={`${audienceHref}/uploads/${upload.id}`} />
            ) : null}
          </div>
        </div>
      </div>
    </>
  );
}

/** The upload's status, above its statistics. */
function Outcome() {
  const { upload } = useLoaderData<typeof loader>();
  if (upload.status === "running") {
    return (
      <Notice title="Processing your files">
        <PollWhile running />
        <progress className="progress my-2" aria-label="Processing your files" />
        Results appear here when processing is complete. You can leave this page.
      </Notice>
    );
  }
  return (
    <>
      {upload.error ? (
        <Notice tone="bad" title="The audience was not changed">
          {upload.error}
        </Notice>
      ) : null}
      {upload.includesOptOuts ? (
        <Notice title="People who opted out were imported">
          The uploader confirmed that their data may be used for advertising.
        </Notice>
      ) : null}
      {upload.notes.map((note) => (
        <Notice key={note} tone="warn" title={note} />
      ))}
    </>
  );
}

export const meta: MetaFunction<typeof loader> = ({ data }) => [
  { title: pageTitle(data ? `Upload report: ${data.upload.audienceName}` : "Upload report") },
];

import type { LoaderFunctionArgs, MetaFunction } from "@remix-run/node";
import { useLoaderData } from "@remix-run/react";
import { uploadModeLabels } from "#app/domain/audiences/audience.ts";
import { getUpload } from "#app/domain/audiences/get-upload.server.ts";
import type { UploadId } from "#app/domain/ids.ts";
import { pageTitle } from "#app/domain/product.ts";
import { enterPortal } from "#app/portal/enter-portal.server.ts";
import { portalHref } from "#app/portal/href.ts";
import { RefreshWhile } from "#app/screens/shared/refresh-while.tsx";
import { LinkButton } from "#app/ui/button.tsx";
import { formatInstant } from "#app/ui/format.ts";
import { Breadcrumbs, PageHeader } from "#app/ui/layout.tsx";
import { Notice } from "#app/ui/notice.tsx";
import { idInAddress, orNotFoundPage } from "#app/web/not-found.server.ts";
import { FilesAndRows, UploadTiles } from "./upload-figures.tsx";
import { ProblemReasons, ProblemRows } from "./upload-problems.tsx";

const shownProblems = 25;

export async function loader({ request, params, context }: LoaderFunctionArgs) {
  const { ctx, base } = await enterPortal(request, "publisher", context);
  const { problems, ...upload } = await orNotFoundPage(getUpload(ctx, idInAddress<UploadId>(params.upload)));
  return { base, upload, problems: problems.slice(0, shownProblems), problemCount: problems.length };
}

export default function UploadReport() {
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
        subtitle={`${uploadModeLabels[mode]} · ${formatInstant(createdAt)}`}
        actions={
          <>
            {status === "failed" ? <LinkButton to={`${audienceHref}/uploads`}>Upload other files</LinkButton> : null}
            <LinkButton to={audienceHref} variant="primary">
              Back to the audience
            </LinkButton>
          </>
        }
      />
      <div className="stack">
        <Outcome />
        {status === "succeeded" ? <UploadTiles upload={upload} /> : null}
        <div className={isRead ? "split" : "stack"}>
          {isRead ? (
            <div className="stack">
              <ProblemReasons upload={upload} reportHref={`${audienceHref}/uploads/${upload.id}/report.csv`} />
              {problems.length > 0 ? (
                <ProblemRows files={upload.files} problems={problems} count={problemCount} />
              ) : null}
            </div>
          ) : null}
          <FilesAndRows upload={upload} />
        </div>
      </div>
    </>
  );
}

/** How it stands, before any figure. */
function Outcome() {
  const { upload } = useLoaderData<typeof loader>();
  if (upload.status === "running") {
    return (
      <Notice title="The files are being read and merged">
        <RefreshWhile running />
        <progress className="progress my-2" aria-label="The files are being read and merged" />
        This page shows the result as soon as it is done. You can leave it.
      </Notice>
    );
  }
  return (
    <>
      {upload.error ? (
        <Notice tone="bad" title="Nothing was changed">
          {upload.error}
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

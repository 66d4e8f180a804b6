import type { ActionFunctionArgs, LoaderFunctionArgs, MetaFunction } from "@remix-run/node";
import { useLoaderData } from "@remix-run/react";
import { pageTitle } from "#app/domain/branding.ts";
import { dialectLabels } from "#app/domain/catalog/imports/catalog-import.ts";
import type { ImportId } from "#app/domain/ids.ts";
import { portalHref } from "#app/portal/portal-href.ts";
import { requireCurrentPortalAccess } from "#app/portal/require-portal-access.server.ts";
import { FocusOnChange } from "#app/screens/shared/forms/focus-on-change.tsx";
import { PollWhile } from "#app/screens/shared/forms/poll-while.tsx";
import { ImportStatusBadge } from "#app/screens/shared/products/import-status-badge.tsx";
import { LinkButton } from "#app/ui/button.tsx";
import { FileName } from "#app/ui/file-name.tsx";
import { useFormResponse } from "#app/ui/form/use-form-response.ts";
import { ErrorSummary, toSummaryErrors } from "#app/ui/notice.tsx";
import { Breadcrumbs, PageHeader } from "#app/ui/page-header.tsx";
import { useTimeFormats } from "#app/ui/time/use-time-formats.ts";
import { orThrow404, requireIdParam } from "#app/web/not-found.server.ts";
import { ColumnMappingForm } from "./column-mapping-form.tsx";
import { DetectedColumns } from "./file-columns.tsx";
import { handleImportAction } from "./import-actions.server.ts";
import { ImportNotices } from "./import-notices.tsx";
import { ImportPreview } from "./import-preview.tsx";
import { ImportProblems } from "./import-problems.tsx";
import { ImportStats } from "./import-stats.tsx";
import { loadImport } from "./load-import.server.ts";
import { PreviewActions } from "./preview-actions.tsx";

export async function loader({ request, params, context }: LoaderFunctionArgs) {
  const { ctx, base } = await requireCurrentPortalAccess(request, context);
  return { base, ...(await orThrow404(loadImport(ctx, requireIdParam<ImportId>(params.id)))) };
}

export async function action({ request, params, context }: ActionFunctionArgs) {
  const { ctx, base } = await requireCurrentPortalAccess(request, context);
  const id = requireIdParam<ImportId>(params.id);
  return handleImportAction(ctx, { request, id, page: portalHref(base, `/products/imports/${id}`) });
}

/** What is rejected was decided elsewhere, in another tab for example: the page shows what has become of the import. */
export function shouldRevalidate() {
  return true;
}

export default function ProductImport() {
  const { formatDateTime } = useTimeFormats();
  const { base, shown, problems, problemCount, preview, columns, categories, checks } = useLoaderData<typeof loader>();
  const rejected = useFormResponse<typeof action>();
  const isRunning = shown.status === "running";
  const upload = portalHref(base, "/products/upload");
  const { status } = shown;
  return (
    <>
      <PollWhile running={isRunning} />
      <Breadcrumbs
        trail={[
          { to: portalHref(base, "/products"), label: "Product Catalog" },
          { to: upload, label: "Upload Products" },
        ]}
        here="Import"
      />
      <PageHeader
        title={
          <>
            <FileName name={shown.fileName ?? "Import"} />{" "}
            <ImportStatusBadge
              status={status}
              commitRequested={shown.commitRequested}
              products={shown.created + shown.updated}
            />
          </>
        }
        subtitle={[shown.dialect ? dialectLabels[shown.dialect] : "", formatDateTime(shown.createdAt)]
          .filter(Boolean)
          .join(", ")}
        actions={
          status === "previewed" ? (
            <PreviewActions shown={shown} isComplete={columns?.missing.length === 0} />
          ) : (
            <LinkButton to={status === "succeeded" ? portalHref(base, "/products") : upload} variant="primary">
              {status === "succeeded" ? "View products" : "Upload another file"}
            </LinkButton>
          )
        }
      />
      <div className="stack">
        <FocusOnChange to={rejected}>
          <ErrorSummary errors={toSummaryErrors(rejected?.error)} />
        </FocusOnChange>
        <ImportNotices shown={shown} missing={columns?.missing ?? []} />
        <ImportStats shown={shown} missing={columns?.missing ?? []} />
        {columns ? (
          <div className="main-and-aside">
            {columns.missing.length > 0 ? (
              <>
                <ColumnMappingForm
                  shown={shown}
                  columns={columns}
                  categories={categories}
                  rejected={rejected}
                  checks={checks}
                />
                <DetectedColumns columns={columns} />
              </>
            ) : (
              <>
                <div className="stack">
                  <ImportPreview rows={preview} />
                  <ImportProblems shown={shown} base={base} problems={problems} count={problemCount} />
                </div>
                <ColumnMappingForm
                  shown={shown}
                  columns={columns}
                  categories={categories}
                  rejected={rejected}
                  checks={checks}
                />
              </>
            )}
          </div>
        ) : isRunning || shown.rowsRead === 0 ? null : (
          <ImportProblems shown={shown} base={base} problems={problems} count={problemCount} />
        )}
      </div>
    </>
  );
}

export const meta: MetaFunction<typeof loader> = ({ data }) => [
  { title: pageTitle(`${data?.shown.fileName ?? "Import"} · Product Catalog`) },
];

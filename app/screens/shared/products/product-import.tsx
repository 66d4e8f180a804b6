import type { ActionFunctionArgs, LoaderFunctionArgs, MetaFunction } from "@remix-run/node";
import { useActionData, useLoaderData } from "@remix-run/react";
import { dialectLabels } from "#app/domain/catalog/imports/catalog-import.ts";
import type { ImportId } from "#app/domain/ids.ts";
import { pageTitle } from "#app/domain/product.ts";
import { enterThisPortal } from "#app/portal/enter-portal.server.ts";
import { portalHref } from "#app/portal/href.ts";
import { Attention } from "#app/screens/shared/attention.tsx";
import { RefreshWhile } from "#app/screens/shared/refresh-while.tsx";
import { LinkButton } from "#app/ui/button.tsx";
import { formatInstant } from "#app/ui/format.ts";
import { Breadcrumbs, PageHeader } from "#app/ui/layout.tsx";
import { ErrorSummary, summaryOf } from "#app/ui/notice.tsx";
import { idInAddress, orNotFoundPage } from "#app/web/not-found.server.ts";
import { ColumnForm } from "./column-form.tsx";
import { FileColumns } from "./file-columns.tsx";
import { ImportDecision } from "./import-decision.tsx";
import { ImportFigures } from "./import-figures.tsx";
import { ImportNotices } from "./import-notices.tsx";
import { ImportPreview } from "./import-preview.tsx";
import { ImportProblems } from "./import-problems.tsx";
import { ImportStatusBadge } from "./import-words.tsx";
import { loadImport } from "./load-import.server.ts";
import { steerImport } from "./steer-import.server.ts";

export async function loader({ request, params, context }: LoaderFunctionArgs) {
  const { ctx, base } = await enterThisPortal(request, context);
  return { base, ...(await orNotFoundPage(loadImport(ctx, idInAddress<ImportId>(params.id)))) };
}

export async function action({ request, params, context }: ActionFunctionArgs) {
  const { ctx, base } = await enterThisPortal(request, context);
  const id = idInAddress<ImportId>(params.id);
  return steerImport(ctx, { request, id, page: portalHref(base, `/products/imports/${id}`) });
}

export default function ProductImport() {
  const { base, shown, problems, problemCount, preview, columns, categories, checks } = useLoaderData<typeof loader>();
  const refused = useActionData<typeof action>();
  const isRunning = shown.status === "running";
  const upload = portalHref(base, "/products/upload");
  const { status } = shown;
  return (
    <>
      <RefreshWhile running={isRunning} />
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
            {shown.fileName ?? "Import"} <ImportStatusBadge status={status} committed={shown.committed} />
          </>
        }
        subtitle={[shown.dialect ? dialectLabels[shown.dialect] : "", formatInstant(shown.createdAt)]
          .filter(Boolean)
          .join(", ")}
        actions={
          status === "previewed" ? (
            <ImportDecision shown={shown} isComplete={columns?.missing.length === 0} />
          ) : (
            <LinkButton to={status === "succeeded" ? portalHref(base, "/products") : upload} variant="primary">
              {status === "succeeded" ? "See the products" : "Upload another file"}
            </LinkButton>
          )
        }
      />
      <div className="stack">
        <Attention to={refused}>
          <ErrorSummary errors={summaryOf(refused?.error)} />
        </Attention>
        <ImportNotices shown={shown} missing={columns?.missing ?? []} />
        <ImportFigures shown={shown} />
        {columns ? (
          <div className="split">
            {columns.missing.length > 0 ? (
              <>
                <ColumnForm shown={shown} columns={columns} categories={categories} refused={refused} checks={checks} />
                <FileColumns columns={columns} />
              </>
            ) : (
              <>
                <div className="stack">
                  <ImportPreview rows={preview} />
                  <ImportProblems id={shown.id} base={base} problems={problems} count={problemCount} />
                </div>
                <ColumnForm shown={shown} columns={columns} categories={categories} refused={refused} checks={checks} />
              </>
            )}
          </div>
        ) : isRunning || shown.rowsRead === 0 ? null : (
          <ImportProblems id={shown.id} base={base} problems={problems} count={problemCount} />
        )}
      </div>
    </>
  );
}

export const meta: MetaFunction<typeof loader> = ({ data }) => [
  { title: pageTitle(`${data?.shown.fileName ?? "Import"} · Product Catalog`) },
];

import { type ActionFunctionArgs, data, type LoaderFunctionArgs, type MetaFunction, redirect } from "@remix-run/node";
import { useLoaderData, useLocation } from "@remix-run/react";
import { pageTitle } from "#app/domain/branding.ts";
import { listImports } from "#app/domain/catalog/imports/list-imports.server.ts";
import { listStores } from "#app/domain/catalog/stores/list-stores.server.ts";
import { DomainError } from "#app/domain/errors.ts";
import { inSnapshot } from "#app/domain/transaction.server.ts";
import { portalHref } from "#app/portal/portal-href.ts";
import { requireCurrentPortalAccess } from "#app/portal/require-portal-access.server.ts";
import { ProductTabs } from "#app/screens/shared/products/product-tabs.tsx";
import { useFormResponse } from "#app/ui/form/use-form-response.ts";
import { PageHeader } from "#app/ui/page-header.tsx";
import { statusByErrorCode } from "#app/web/error-status.ts";
import { redirectWithFlash } from "#app/web/flash.server.ts";
import { FormRejection } from "#app/web/forms/field-gate.ts";
import { sentBefore } from "#app/web/forms/form.server.ts";
import { CatalogFileForm } from "./catalog-file-form.tsx";
import { ImportFieldList } from "./field-list.tsx";
import { ImportList } from "./import-list.tsx";
import { receiveCatalogFile } from "./receive-catalog-file.server.ts";
import { StoreCards } from "./store-cards.tsx";

export async function loader({ request, context }: LoaderFunctionArgs) {
  const { ctx, base } = await requireCurrentPortalAccess(request, context);
  const [imports, stores] = await inSnapshot(ctx, (tx) => Promise.all([listImports(tx), listStores(tx)]));
  return { base, imports, stores, idempotencyKey: crypto.randomUUID() };
}

/** Each file has its own page with the result, even if the file was rejected, but for one too many. */
export async function action({ request, context }: ActionFunctionArgs) {
  const { ctx, base } = await requireCurrentPortalAccess(request, context);
  try {
    return redirect(portalHref(base, `/products/imports/${await receiveCatalogFile(ctx, request)}`));
  } catch (error) {
    if (error instanceof FormRejection && error.field === "file")
      return data({ rejected: error.message }, { status: error.status });
    if (!(error instanceof DomainError)) throw error;
    if (error.code === "limit_reached")
      return data({ rejected: error.message }, { status: statusByErrorCode.limit_reached });
    if (error.code !== "idempotency_conflict") throw error;
    return redirectWithFlash(portalHref(base, "/products/upload"), { tone: "error", message: sentBefore });
  }
}

export default function UploadProducts() {
  const { base, imports, stores, idempotencyKey } = useLoaderData<typeof loader>();
  const response = useFormResponse<typeof action>();
  return (
    <>
      <PageHeader title="Product Catalog" subtitle="The products you sell and can feature in campaigns" />
      <ProductTabs base={base} current="upload" />
      <div className="main-and-aside">
        <div className="stack">
          <CatalogFileForm
            key={useLocation().key}
            idempotencyKey={idempotencyKey}
            to={portalHref(base, "/products/upload")}
            rejected={response?.rejected}
            templateHref={portalHref(base, "/products/template.csv")}
          />
          <ImportList imports={imports} importHref={(id) => portalHref(base, `/products/imports/${id}`)} />
        </div>
        <div className="stack">
          <StoreCards base={base} stores={stores} />
          <ImportFieldList />
        </div>
      </div>
    </>
  );
}

export const meta: MetaFunction = () => [{ title: pageTitle("Upload Products") }];

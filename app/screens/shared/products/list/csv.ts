import type { LoaderFunctionArgs } from "@remix-run/node";
import { exportProducts } from "#app/domain/catalog/export-products.server.ts";
import { templateColumns } from "#app/domain/catalog/template-columns.ts";
import type { Ctx, TenantActor } from "#app/domain/context.ts";
import { DomainError } from "#app/domain/errors.ts";
import { portalHref } from "#app/portal/portal-href.ts";
import { requireCurrentPortalAccess } from "#app/portal/require-portal-access.server.ts";
import { csvResponse } from "#app/web/csv.ts";
import { consumeExportLimit } from "#app/web/exports/export-limit.server.ts";
import { redirectWithFlash } from "#app/web/flash.server.ts";

/** Exports the whole catalog as a CSV that can be imported again. */
export async function loader({ request, context }: LoaderFunctionArgs) {
  const { ctx, base } = await requireCurrentPortalAccess(request, context);
  try {
    await consumeExportLimit(ctx, request);
  } catch (error) {
    if (!(error instanceof DomainError)) throw error;
    return redirectWithFlash(portalHref(base, "/products"), { tone: "error", message: error.message });
  }
  return csvResponse("product-catalog.csv", piecesOf(ctx));
}

async function* piecesOf(ctx: Ctx<TenantActor>) {
  yield [templateColumns.map(({ name }) => name)];
  for await (const products of exportProducts(ctx)) {
    yield products.map((product) => templateColumns.map(({ value }) => value(product)));
  }
}

import type { LoaderFunctionArgs } from "@remix-run/node";
import { templateColumns } from "#app/domain/catalog/catalog-columns.ts";
import { exportProducts } from "#app/domain/catalog/export-products.server.ts";
import type { Ctx, TenantActor } from "#app/domain/context.ts";
import { DomainError } from "#app/domain/errors.ts";
import { enterThisPortal } from "#app/portal/enter-portal.server.ts";
import { portalHref } from "#app/portal/href.ts";
import { csvAnswer } from "#app/web/csv.ts";
import { takeExport } from "#app/web/export-limit.server.ts";
import { redirectWithFlash } from "#app/web/flash.server.ts";

/** The whole catalogue as a file that can be imported again. */
export async function loader({ request, context }: LoaderFunctionArgs) {
  const { ctx, base } = await enterThisPortal(request, context);
  try {
    await takeExport(ctx);
  } catch (error) {
    if (!(error instanceof DomainError)) throw error;
    return redirectWithFlash(portalHref(base, "/products"), { tone: "error", message: error.message });
  }
  return csvAnswer("product-catalog.csv", piecesOf(ctx));
}

async function* piecesOf(ctx: Ctx<TenantActor>) {
  yield [templateColumns.map(({ name }) => name)];
  for await (const products of exportProducts(ctx)) {
    yield products.map((product) => templateColumns.map(({ of }) => of(product)));
  }
}

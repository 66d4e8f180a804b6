import type { LoaderFunctionArgs } from "@remix-run/node";
import { getImport, listImportProblems } from "#app/domain/catalog/imports/get-import.server.ts";
import type { Ctx, TenantActor } from "#app/domain/context.ts";
import type { ImportId } from "#app/domain/ids.ts";
import { requireCurrentPortalAccess } from "#app/portal/require-portal-access.server.ts";
import { csvResponse } from "#app/web/csv.ts";
import { orThrow404, requireIdParam } from "#app/web/not-found.server.ts";

const rowsAtOnce = 2_000;
const results = { rejected: "Rejected", warning: "Warning" } as const;

/** Exports an import's errors and warnings as CSV. */
export async function loader({ request, params, context }: LoaderFunctionArgs) {
  const { ctx } = await requireCurrentPortalAccess(request, context);
  const { id } = await orThrow404(getImport(ctx, requireIdParam<ImportId>(params.id)));
  return csvResponse("import-report.csv", pieces(ctx, id));
}

async function* pieces(ctx: Ctx<TenantActor>, id: ImportId) {
  yield [["Row", "Result", "SKU", "Column", "Message"]];
  let after: number | undefined;
  do {
    const problems = await listImportProblems(ctx, { id, limit: rowsAtOnce, after });
    yield problems.map(({ row, kind, sku, column, message }) => [row, results[kind], sku ?? "", column, message]);
    after = problems.length < rowsAtOnce ? undefined : problems.at(-1)?.number;
  } while (after !== undefined);
}

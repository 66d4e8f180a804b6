import type { LoaderFunctionArgs } from "@remix-run/node";
import { templateFields } from "#app/domain/catalog/template-fields.ts";
import { requireCurrentPortalAccess } from "#app/portal/require-portal-access.server.ts";
import { csvResponse } from "#app/web/csv.ts";

/** Serves a template file: the columns and two example rows. */
export async function loader({ request, context }: LoaderFunctionArgs) {
  await requireCurrentPortalAccess(request, context);
  const examples = [0, 1].map((index) => templateFields.map((field) => field.examples[index] ?? ""));
  async function* rows() {
    yield [templateFields.map(({ name }) => name), ...examples];
  }
  return csvResponse("product-template.csv", rows());
}

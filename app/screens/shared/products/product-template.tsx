import type { LoaderFunctionArgs } from "@remix-run/node";
import { templateFields } from "#app/domain/catalog/template-fields.ts";
import { enterThisPortal } from "#app/portal/enter-portal.server.ts";
import { csvAnswer } from "#app/web/csv.ts";

/** A file to fill in: the columns, and two rows that show how. */
export async function loader({ request, context }: LoaderFunctionArgs) {
  await enterThisPortal(request, context);
  const examples = [0, 1].map((index) => templateFields.map((field) => field.examples[index] ?? ""));
  async function* rows() {
    yield [templateFields.map(({ name }) => name), ...examples];
  }
  return csvAnswer("product-template.csv", rows());
}

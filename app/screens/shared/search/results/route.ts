import type { LoaderFunctionArgs } from "@remix-run/node";
import { loadSearch } from "#app/portal/search/load-search.server.ts";

/** Returns the results for the dialog, which requests them while a person types. */
export async function loader({ request, context }: LoaderFunctionArgs) {
  return Response.json(await loadSearch(request, context), { headers: { "Cache-Control": "private, no-store" } });
}

import type { ActionFunctionArgs, LoaderFunctionArgs } from "@remix-run/node";
import { redirect } from "@remix-run/node";
import { enterThisPortal } from "#app/portal/enter-portal.server.ts";
import { portalHref } from "#app/portal/href.ts";
import { readCreativeForm } from "./read-creative-form.server.ts";

/** Where a script sends a file, from inside a portal: its answer says which creative it is, or why it is none. */
export async function action({ request, context }: ActionFunctionArgs) {
  const { ctx } = await enterThisPortal(request, context);
  const { ids, errors } = await readCreativeForm(ctx, request);
  return Response.json({ ids, errors: errors.map(({ message }) => message) });
}

export async function loader({ request, context }: LoaderFunctionArgs) {
  const { base } = await enterThisPortal(request, context);
  return redirect(portalHref(base, "/creatives"));
}

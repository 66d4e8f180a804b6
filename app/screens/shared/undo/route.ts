import { type ActionFunctionArgs, type LoaderFunctionArgs, redirect } from "@remix-run/node";
import { DomainError } from "#app/domain/errors.ts";
import { portalHref } from "#app/portal/portal-href.ts";
import { requireCurrentPortalAccess } from "#app/portal/require-portal-access.server.ts";
import { redirectWithFlash } from "#app/web/flash.server.ts";
import { readFormData } from "#app/web/forms/form.server.ts";
import { orThrow404 } from "#app/web/not-found.server.ts";
import { outdatedFormResponse } from "#app/web/outdated-form.server.ts";
import { safeRedirectPath } from "#app/web/safe-redirect.ts";
import { undoSchema } from "#app/web/undo.server.ts";
import { applyBulkUndo } from "./apply-bulk-undo.server.ts";
import { applyUndo } from "./apply-undo.server.ts";

/** A message's Undo button: does what the message's code says and returns to the page that showed the message. */
export async function action({ request, context }: ActionFunctionArgs) {
  const { ctx, base } = await requireCurrentPortalAccess(request, context);
  const form = await readFormData(request);
  const [id, ...others] = form.getAll("id");
  const of = others.length > 0 ? { ids: [id, ...others] } : { id };
  const undo = undoSchema.safeParse({ ...of, action: form.get("action") });
  if (!undo.success) throw outdatedFormResponse();
  const back = safeRedirectPath(String(form.get("back") ?? "")) ?? portalHref(base, "/dashboard");
  try {
    return redirectWithFlash(
      back,
      await orThrow404("ids" in undo.data ? applyBulkUndo(ctx, undo.data) : applyUndo(ctx, undo.data)),
    );
  } catch (error) {
    if (!(error instanceof DomainError)) throw error;
    return redirectWithFlash(back, { tone: "error", message: error.message });
  }
}

/** A GET of this URL, after a sign-in for instance, undoes nothing. */
export async function loader({ request, context }: LoaderFunctionArgs) {
  const { base } = await requireCurrentPortalAccess(request, context);
  return redirect(portalHref(base, "/dashboard"));
}

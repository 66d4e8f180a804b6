import { type ActionFunctionArgs, type LoaderFunctionArgs, redirect, redirectDocument } from "@remix-run/node";
import { z } from "zod";
import { setFirstStepsHidden } from "#app/domain/first-steps/first-steps-visibility.server.ts";
import { portalHref } from "#app/portal/portal-href.ts";
import { requireCurrentPortalAccess } from "#app/portal/require-portal-access.server.ts";
import { expiredCookie, serializeCookie } from "#app/web/cookies.server.ts";
import { readFormData } from "#app/web/forms/form.server.ts";
import { safeRedirectPath } from "#app/web/safe-redirect.ts";
import { themes } from "#app/web/theme.ts";

const preferencesSchema = z.object({
  theme: z
    .enum(["system", ...themes])
    .optional()
    .catch(undefined),
  shortcuts: z.enum(["on", "off"]).optional().catch(undefined),
  first_steps: z.enum(["shown", "hidden"]).optional().catch(undefined),
  back: z.string().optional().catch(undefined),
});

/**
 * Sets how this browser shows the portals, and whether the person sees the first steps; returns to the page that the
 * form came from.
 */
export async function action({ request, context }: ActionFunctionArgs) {
  const { ctx, viewer, base } = await requireCurrentPortalAccess(request, context);
  const form = preferencesSchema.parse(Object.fromEntries(await readFormData(request)));
  const { theme, shortcuts, back } = form;
  const headers = new Headers();
  if (theme) {
    const cookie = theme === "system" ? expiredCookie("portal_theme") : serializeCookie("portal_theme", theme);
    headers.append("Set-Cookie", await cookie);
  }
  if (shortcuts) {
    const cookie = shortcuts === "on" ? expiredCookie("portal_shortcuts") : serializeCookie("portal_shortcuts", "off");
    headers.append("Set-Cookie", await cookie);
  }
  if (form.first_steps) await setFirstStepsHidden(ctx, { userId: viewer.id, hidden: form.first_steps === "hidden" });
  // The theme is an attribute of the document.
  return (theme ? redirectDocument : redirect)(safeRedirectPath(back) ?? base, { headers });
}

/** A GET of this URL, after a sign-in for instance, sets nothing. */
export async function loader({ request, context }: LoaderFunctionArgs) {
  const { base } = await requireCurrentPortalAccess(request, context);
  return redirect(portalHref(base, "/dashboard"));
}

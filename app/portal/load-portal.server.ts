import { type AppLoadContext, data, redirect } from "@remix-run/node";
import type { AccountType } from "#app/domain/accounts/account.ts";
import { countPendingLineItems } from "#app/domain/campaigns/line-items/count-pending-line-items.server.ts";
import { countUnread } from "#app/domain/notifications/list-notifications.server.ts";
import { readCookie, serializeCookie } from "#app/web/cookies.server.ts";
import { readFlash } from "#app/web/flash.server.ts";
import { readFormData } from "#app/web/forms/form.server.ts";
import { viewerOfForms } from "#app/web/forms/form-viewer.ts";
import { safeRedirectPath } from "#app/web/safe-redirect.ts";
import { requireOwnDataAccess, requirePortalAccess } from "./require-portal-access.server.ts";

/**
 * Loads the data of a portal's layout, null where a page opens without it: that of one's own data, for an account that
 * is not approved. It protects only itself: each screen calls the guard too.
 */
export async function loadPortal(request: Request, portal: AccountType, context: AppLoadContext) {
  if (/\/profile\/close\/?$/i.test(new URL(request.url).pathname)) {
    const { viewer } = await requireOwnDataAccess(request, context);
    if (viewer.status !== "approved") return null;
  }
  const { ctx, viewer, mode, base } = await requirePortalAccess(request, portal, context);
  const { name, email, picture, companyName, timeZone } = viewer;
  const { flash, headers } = await readFlash(request);
  const { actor } = ctx;
  const [unread, pendingApprovals] = await Promise.all([
    countUnread(ctx),
    actor.kind === "publisher" ? countPendingLineItems({ ...ctx, actor }) : undefined,
  ]);
  return data(
    {
      portal,
      mode,
      base,
      viewer: { id: viewerOfForms(viewer, context), name, email, picture, companyName, timeZone },
      pendingApprovals,
      unread,
      flash,
      bannerDismissed: (await readCookie(request, "portal_banner")) === "off",
      singleKeys: (await readCookie(request, "portal_shortcuts")) !== "off",
    },
    { headers },
  );
}

/** Hides the test-mode banner for a week and returns to the page the form came from. */
export async function dismissBanner(request: Request, portal: AccountType, context: AppLoadContext) {
  const { base } = await requirePortalAccess(request, portal, context);
  const back = safeRedirectPath(String((await readFormData(request)).get("back") ?? "")) ?? base;
  return redirect(back, { headers: { "Set-Cookie": await serializeCookie("portal_banner", "off") } });
}

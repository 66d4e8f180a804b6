import { type AppLoadContext, data, redirect } from "@remix-run/node";
import type { AccountType } from "#app/domain/accounts/account.ts";
import { countLineItems } from "#app/domain/campaigns/list-line-items.server.ts";
import { countUnread } from "#app/domain/notifications/list-notifications.server.ts";
import { readCookie, writeCookie } from "#app/web/cookies.server.ts";
import { readFlash } from "#app/web/flash.server.ts";
import { readForm } from "#app/web/form.server.ts";
import { safePath } from "#app/web/redirects.ts";
import { enterPortal } from "./enter-portal.server.ts";

/** What the frame around a portal's screens shows. It guards nothing but itself: each screen enters the portal too. */
export async function loadPortal(request: Request, portal: AccountType, context: AppLoadContext) {
  const { ctx, viewer, mode, base } = await enterPortal(request, portal, context);
  const { name, email, picture, companyName } = viewer;
  const { flash, headers } = await readFlash(request);
  const { actor } = ctx;
  const [unread, counts] = await Promise.all([
    countUnread(ctx),
    actor.kind === "publisher" ? countLineItems({ ...ctx, actor }) : undefined,
  ]);
  const pendingApprovals = counts?.approval.pending;
  return data(
    {
      portal,
      mode,
      base,
      viewer: { name, email, picture, companyName },
      pendingApprovals,
      unread,
      flash,
      bannerDismissed: (await readCookie(request, "portal_banner")) === "off",
    },
    { headers },
  );
}

/** Takes the test-mode banner away for a week, and goes back to where one was. */
export async function dismissBanner(request: Request, portal: AccountType, context: AppLoadContext) {
  const { base } = await enterPortal(request, portal, context);
  const back = safePath(String((await readForm(request)).get("back") ?? "")) ?? base;
  return redirect(back, { headers: { "Set-Cookie": await writeCookie("portal_banner", "off") } });
}

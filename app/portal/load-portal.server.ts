import { type AppLoadContext, data } from "@remix-run/node";
import type { AccountType } from "#app/domain/accounts/account.ts";
import { countLineItems } from "#app/domain/campaigns/list-line-items.server.ts";
import { readFlash } from "#app/web/flash.server.ts";
import { enterPortal } from "./enter-portal.server.ts";

/** What the frame around a portal's screens shows. It guards nothing but itself: each screen enters the portal too. */
export async function loadPortal(request: Request, portal: AccountType, context: AppLoadContext) {
  const { ctx, viewer, mode, base } = await enterPortal(request, portal, context);
  const { name, email, picture, companyName } = viewer;
  const { flash, headers } = readFlash(request);
  const { actor } = ctx;
  const counts = actor.kind === "publisher" ? await countLineItems({ ...ctx, actor }) : undefined;
  const pendingApprovals = counts?.approval.pending;
  return data(
    { portal, mode, base, viewer: { name, email, picture, companyName }, pendingApprovals, flash },
    { headers },
  );
}

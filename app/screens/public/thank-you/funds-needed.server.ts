import type { AppLoadContext } from "@remix-run/node";
import { decideAccess } from "#app/domain/access/decide-access.ts";
import { findFundsHold } from "#app/domain/billing/wallet/find-funds-hold.server.ts";
import { arePaymentsSetUp } from "#app/domain/payments/active-payment-provider.server.ts";
import { requirePortalAccess } from "#app/portal/require-portal-access.server.ts";
import { findViewer } from "#app/portal/viewer.server.ts";

/**
 * Returns what a launched campaign still needs when its advertiser has no funds; null when it has some, and for
 * visitors that may not see the wallet.
 */
export async function loadFundsNeeded(request: Request, { context, test }: { context: AppLoadContext; test: boolean }) {
  const viewer = test ? undefined : await findViewer(request, context);
  if (!test && decideAccess(viewer, "advertiser") !== "granted") return null;
  const { ctx } = await requirePortalAccess(request, "advertiser", context);
  const hold = await findFundsHold(ctx);
  return hold && { ...hold, paymentsEnabled: arePaymentsSetUp() };
}

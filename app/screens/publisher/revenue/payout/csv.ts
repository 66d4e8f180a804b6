import type { LoaderFunctionArgs } from "@remix-run/node";
import { withAdjustment } from "#app/domain/billing/adjustment.ts";
import { getPayout, listPayoutLines } from "#app/domain/billing/payouts/list-payouts.server.ts";
import type { Ctx, PublisherActor } from "#app/domain/context.ts";
import type { PayoutId } from "#app/domain/ids.ts";
import { asCents, centsToDollars } from "#app/domain/money.ts";
import { requirePortalAccess } from "#app/portal/require-portal-access.server.ts";
import { csvResponse } from "#app/web/csv.ts";
import { orThrow404, requireIdParam } from "#app/web/not-found.server.ts";

/** Exports one payout's lines as CSV. The hourly export limit covers whole tables only. */
export async function loader({ request, params, context }: LoaderFunctionArgs) {
  const { ctx } = await requirePortalAccess(request, "publisher", context);
  const { id, createdAt } = await orThrow404(getPayout(ctx, requireIdParam<PayoutId>(params.id)));
  return csvResponse(`payout-${createdAt.toISOString().slice(0, 10)}.csv`, piecesOf(ctx, id));
}

async function* piecesOf(ctx: Ctx<PublisherActor>, id: PayoutId) {
  yield [
    ["Line", "Campaign", "Settled through", "Advertiser spend (USD)", "Platform fee (USD)", "Your earnings (USD)"],
  ];
  for (let after = 0; ; ) {
    const lines = await listPayoutLines(ctx, { id, after });
    yield lines.map(({ number, campaignName, adjustsMonth, settledThrough, spend, fee, earnings }) => [
      ...[number, withAdjustment(campaignName, adjustsMonth), settledThrough, centsToDollars(spend)],
      ...[centsToDollars(asCents(0 - fee)), centsToDollars(earnings)],
    ]);
    const last = lines.at(-1);
    if (!last) return;
    after = last.number;
  }
}

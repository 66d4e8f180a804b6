import type { LoaderFunctionArgs } from "@remix-run/node";
import { getPayout, listPayoutLines } from "#app/domain/billing/payouts/list-payouts.server.ts";
import type { Ctx, PublisherActor } from "#app/domain/context.ts";
import type { PayoutId } from "#app/domain/ids.ts";
import { dollarsOf } from "#app/domain/money.ts";
import { enterPortal } from "#app/portal/enter-portal.server.ts";
import { csvAnswer } from "#app/web/csv.ts";
import { idInAddress, orNotFoundPage } from "#app/web/not-found.server.ts";

/** A payout's lines as a file. It is one payout's, not a whole table, so that no limit counts it. */
export async function loader({ request, params, context }: LoaderFunctionArgs) {
  const { ctx } = await enterPortal(request, "publisher", context);
  const { id, createdAt } = await orNotFoundPage(getPayout(ctx, idInAddress<PayoutId>(params.id)));
  return csvAnswer(`payout-${createdAt.toISOString().slice(0, 10)}.csv`, piecesOf(ctx, id));
}

async function* piecesOf(ctx: Ctx<PublisherActor>, id: PayoutId) {
  yield [["Line", "Campaign", "Settled until", "Advertiser spend (USD)", "Platform fee (USD)", "Your earning (USD)"]];
  for (let after = 0; ; ) {
    const lines = await listPayoutLines(ctx, { id, after });
    yield lines.map(({ number, campaignName, settledThrough, spend, fee, earnings }) => [
      ...[number, campaignName, settledThrough, dollarsOf(spend), dollarsOf(fee), dollarsOf(earnings)],
    ]);
    const last = lines.at(-1);
    if (!last) return;
    after = last.number;
  }
}

import type { PublisherCampaign } from "#app/domain/campaigns/line-items/publisher-campaigns.server.ts";
import { formatCents, shareOf } from "#app/domain/money.ts";

/** The publisher's share of the budget, if all of it is spent on its audiences. */
export function EarningsEstimate({
  campaign: { totalBudgetCents, commissionRate, commissionRateBps },
}: {
  campaign: Pick<PublisherCampaign, "totalBudgetCents" | "commissionRate" | "commissionRateBps">;
}) {
  return (
    <div className="flex flex-wrap items-center justify-between gap-x-8 gap-y-3 rounded-[10px] bg-accent-soft px-4 py-3">
      <dl className="description-list grow">
        {totalBudgetCents === null ? null : (
          <div>
            <dt>You can earn up to</dt>
            <dd className="tabular-nums">{formatCents(shareOf(totalBudgetCents, commissionRateBps))}</dd>
          </div>
        )}
        <div>
          <dt>Commission</dt>
          <dd className="tabular-nums">{commissionRate}%</dd>
        </div>
      </dl>
      <p className="hint max-w-64">{commissionRate}% of the spend on your audiences.</p>
    </div>
  );
}

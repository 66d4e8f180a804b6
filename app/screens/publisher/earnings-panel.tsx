import type { PublisherCampaign } from "#app/domain/campaigns/list-line-items.server.ts";
import { formatCents, shareOf } from "#app/domain/money.ts";

/** What a yes is worth: the publisher's share of the budget, if all of it is spent on its audiences. */
export function EarningsPanel({
  campaign: { totalBudgetCents, commissionRate, commissionRateBps },
}: {
  campaign: Pick<PublisherCampaign, "totalBudgetCents" | "commissionRate" | "commissionRateBps">;
}) {
  return (
    <div className="flex flex-wrap items-center justify-between gap-x-8 gap-y-3 rounded-[10px] bg-accent-soft px-4 py-3">
      <dl className="facts grow">
        {totalBudgetCents === null ? null : (
          <div>
            <dt>You would earn up to</dt>
            <dd className="num">{formatCents(shareOf(totalBudgetCents, commissionRateBps))}</dd>
          </div>
        )}
        <div>
          <dt>Commission</dt>
          <dd className="num">{commissionRate}%</dd>
        </div>
      </dl>
      <p className="hint max-w-64">{commissionRate}% of what is spent on your audiences.</p>
    </div>
  );
}

import type { Earnings } from "#app/domain/billing/get-earnings.server.ts";
import type { LineItemSummary } from "#app/domain/campaigns/line-items/count-line-items.server.ts";
import { formatCents } from "#app/domain/money.ts";
import { MoneyDefinitions } from "#app/screens/shared/billing/money-definitions.tsx";
import { formatCompact, formatCount, formatPercent } from "#app/ui/format.ts";
import { StatTiles } from "#app/ui/stat-tiles.tsx";

/** The totals over all campaigns on the publisher's audiences. */
export function SummaryTiles({ counts, earnings }: { counts: LineItemSummary; earnings: Earnings }) {
  return (
    <div className="grid gap-2">
      <StatTiles
        stats={[
          { label: "Total Campaigns", value: formatCount(counts.management.all) },
          {
            label: "Commission Earned",
            value: formatCents(earnings.commissionEarned),
            note: describeSettled(earnings),
          },
          { label: "Total Impressions", value: formatCompact(counts.impressions) },
          {
            label: "Avg. CTR",
            value: counts.averageCtr === null ? "–" : formatPercent(counts.averageCtr),
            note: "weighted by impressions",
          },
        ]}
      />
      <MoneyDefinitions terms={["commission_earned", "total_earnings", "not_settled"]} />
    </div>
  );
}

/** Says how the commission leads to the total earnings of billing and revenue. */
function describeSettled({ totalEarnings, notSettled, refunded }: Earnings): string {
  return [
    `${formatCents(totalEarnings)} total earnings`,
    ...(notSettled === 0 ? [] : [`${formatCents(notSettled)} not settled yet`]),
    ...(refunded === 0 ? [] : [`${formatCents(refunded)} refunded`]),
  ].join(" + ");
}

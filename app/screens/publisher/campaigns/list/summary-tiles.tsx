import type { Earnings } from "#app/domain/billing/get-earnings.server.ts";
import type { MoneyDefinition } from "#app/domain/billing/money-words.ts";
import type { LineItemSummary } from "#app/domain/campaigns/line-items/count-line-items.server.ts";
import { formatCents } from "#app/domain/money.ts";
import { Definitions } from "#app/ui/definitions.tsx";
import { formatCompact, formatCount, formatPercent } from "#app/ui/format.ts";
import { StatTiles } from "#app/ui/stat-tiles.tsx";

/** The totals over all campaigns on the publisher's audiences. */
export function SummaryTiles({
  counts,
  earnings,
  definitions,
}: {
  counts: LineItemSummary;
  earnings: Earnings;
  definitions: readonly MoneyDefinition[];
}) {
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
      <Definitions of={definitions} />
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

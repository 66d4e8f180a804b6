import type { Earnings } from "#app/domain/billing/get-earnings.server.ts";
import { type MoneyTerm, moneyTerms } from "#app/domain/billing/money-words.ts";
import { holdDays } from "#app/domain/billing/payouts/payout.ts";
import { formatCents } from "#app/domain/money.ts";
import { StatTiles } from "#app/ui/stat-tiles.tsx";
import { MoneyDefinitions } from "./money-definitions.tsx";

const terms: readonly MoneyTerm[] = [
  "total_earnings",
  "not_settled",
  "pending",
  "available",
  "in_transit",
  "paid",
  "applied_to_plan",
];

/** A publisher's total earnings by state, the same wherever they are shown, with their definitions. */
export function EarningsTiles({ earnings, to }: { earnings: Earnings; to?: string }) {
  const { totalEarnings, notSettled, pending, available, inTransit, paid, appliedToPlan, repaid } = earnings;
  const more = [
    ...(inTransit > 0 ? [`${formatCents(inTransit)} in transit`] : []),
    ...(appliedToPlan > 0 ? [`${formatCents(appliedToPlan)} applied to your plan`] : []),
    ...(repaid > 0 ? [`${formatCents(repaid)} repaid`] : []),
  ];
  return (
    <div className="grid gap-2">
      <StatTiles
        stats={[
          {
            label: moneyTerms.total_earnings.label,
            value: formatCents(totalEarnings),
            note: notSettled === 0 ? "Settled spend only" : `plus ${formatCents(notSettled)} not settled yet`,
            to,
          },
          {
            label: moneyTerms.pending.label,
            value: formatCents(pending),
            note: `Available ${holdDays} days after the day you earned it`,
          },
          {
            label: moneyTerms.available.label,
            value: formatCents(available),
            note: available < 0 ? "Negative because refunds or corrections exceed new earnings" : undefined,
          },
          {
            label: moneyTerms.paid.label,
            value: formatCents(paid),
            note: more.length > 0 ? `and ${more.join(", ")}` : undefined,
          },
        ]}
      />
      <MoneyDefinitions terms={repaid > 0 ? [...terms, "repaid"] : terms} />
    </div>
  );
}

import type { PayoutBalance } from "#app/domain/billing/payouts/get-payout-balance.server.ts";
import { holdDays } from "#app/domain/billing/payouts/payout.ts";
import { formatCents } from "#app/domain/money.ts";
import { type PortalBase, portalHref } from "#app/portal/href.ts";
import { StatTiles } from "#app/ui/stat-tile.tsx";

/** Earned is pending, available, on its way, paid, or paid for a plan. */
export function RevenueTiles({ base, balance }: { base: PortalBase; balance: PayoutBalance }) {
  const { earned, held, available, inTransit, paid, netted } = balance;
  const more = [
    ...(inTransit > 0 ? [`${formatCents(inTransit)} on its way`] : []),
    ...(netted > 0 ? [`${formatCents(netted)} for your plan`] : []),
  ];
  return (
    <StatTiles
      stats={[
        { label: "Earned", value: formatCents(earned), to: portalHref(base, "/billing?tab=earnings") },
        { label: "Pending", value: formatCents(held), note: `Held ${holdDays} days after the day it was earned on` },
        {
          label: "Available",
          value: formatCents(available),
          note: available < 0 ? "More was taken back than earned since" : undefined,
        },
        {
          label: "Paid",
          value: formatCents(paid),
          note: more.length > 0 ? `and ${more.join(", ")}` : undefined,
        },
      ]}
    />
  );
}

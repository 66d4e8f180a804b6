import type { PayoutBalance } from "#app/domain/billing/payouts/get-payout-balance.server.ts";
import { holdDays } from "#app/domain/billing/payouts/payout.ts";
import { formatCents, toCents } from "#app/domain/money.ts";
import { type PortalBase, portalHref } from "#app/portal/href.ts";
import { StatTiles } from "#app/ui/stat-tile.tsx";

/** Earned is pending, available, on its way or paid. */
export function RevenueTiles({ base, balance }: { base: PortalBase; balance: PayoutBalance }) {
  const { earned, held, available, inTransit, paid } = balance;
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
          note: inTransit > 0 ? `and ${formatCents(toCents(inTransit))} on its way` : undefined,
        },
      ]}
    />
  );
}

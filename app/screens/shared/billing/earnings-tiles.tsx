import type { RevenueShareStatus } from "#app/domain/billing/revenue-share.ts";
import { type Cents, formatCents, toCents } from "#app/domain/money.ts";
import { StatTiles } from "#app/ui/stat-tile.tsx";

/** All that was earned, and how much of it is paid. */
export function EarningsTiles({ earnings: { pending, paid } }: { earnings: Record<RevenueShareStatus, Cents> }) {
  return (
    <StatTiles
      stats={[
        { label: "Total earnings", value: formatCents(toCents(pending + paid)) },
        { label: "Pending", value: formatCents(pending), note: "Not paid out yet" },
        { label: "Paid", value: formatCents(paid) },
      ]}
    />
  );
}

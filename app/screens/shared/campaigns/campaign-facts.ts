import type { ReactNode } from "react";
import { type CampaignFieldRow, campaignFieldRows, type ShownField } from "#app/domain/campaigns/campaign-fields.ts";

type Fact = { label: string; value: ReactNode; wide?: boolean };
/** How a card shows a field that is not shown by its row alone; null leaves it out. */
export type FactOverrides = Partial<Record<ShownField, Partial<Fact> | null>>;

/**
 * The facts of a card about a campaign: first the fields that `order` names, then the others in the order of their
 * rows, so that no card lacks a field unless it leaves it out on purpose.
 */
export function campaignFacts({
  rows = campaignFieldRows,
  order = [],
  overrides,
  show,
}: {
  rows?: readonly CampaignFieldRow[];
  order?: readonly ShownField[];
  overrides: FactOverrides;
  show: (row: CampaignFieldRow) => ReactNode;
}): Fact[] {
  const rank = ({ name }: CampaignFieldRow) => (order.includes(name) ? order.indexOf(name) : order.length);
  return rows
    .filter(({ name }) => overrides[name] !== null)
    .sort((one, other) => rank(one) - rank(other))
    .map((row) => {
      const { label = row.label, value, wide } = overrides[row.name] ?? {};
      return { label, value: value === undefined ? show(row) : value, wide };
    });
}

import type { Cents } from "../money.ts";
import type { LineItemStatus } from "./campaign.ts";

type BudgetedCampaign = {
  lineItems: readonly { status: LineItemStatus; approvedVersion: number | null; sentVersion: number }[];
  versions: ReadonlyMap<number, { totalBudgetCents: Cents | null }>;
};

/**
 * Returns a campaign's total budget of today in micros: while the versions of a line item differ, the smaller budget
 * applies. Zero when no line item that takes part was ever approved. Pure.
 */
export function currentBudgetMicros({ lineItems, versions }: BudgetedCampaign): number {
  const budgets = lineItems.flatMap((item) => {
    const approved = versions.get(item.approvedVersion ?? 0)?.totalBudgetCents;
    const sentBudgetCents = versions.get(item.sentVersion)?.totalBudgetCents;
    return approved && sentBudgetCents && item.status !== "withdrawn" ? [Math.min(approved, sentBudgetCents)] : [];
  });
  return Math.max(0, ...budgets) * 10_000;
}

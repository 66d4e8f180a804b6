import { inArray } from "drizzle-orm";
import { notifications } from "#db/schema/index.ts";
import type { Ctx } from "../context.ts";
import type { LockedCampaign } from "../delivery/lock-campaigns.server.ts";
import { centsOfMicros, dollarsOf } from "../money.ts";
import { type Telling, tellAccounts } from "../notifications/tell-accounts.server.ts";

const nearlyUsed = 0.8;

/**
 * Tells the advertisers of campaigns, locked by the caller, that 80 % of the budget are spent, or all of it: once for each
 * budget, so that one that was raised may tell again.
 */
export async function tellOfBudgets(ctx: Ctx, locked: readonly LockedCampaign[]): Promise<void> {
  const tellings = locked.flatMap(tellingOf);
  if (tellings.length === 0) return;
  // A campaign stays near its end for many reports.
  const known = await ctx.db
    .select({ key: notifications.eventKey, accountId: notifications.accountId })
    .from(notifications)
    .where(
      inArray(
        notifications.eventKey,
        tellings.map(({ key }) => key),
      ),
    );
  const told = new Set(known.map(({ key }) => key));
  await tellAccounts(
    ctx,
    tellings.filter(({ key }) => !told.has(key)),
  );
}

function tellingOf(campaign: LockedCampaign): Telling[] {
  const { id, advertiserId, status, spentMicros } = campaign;
  const budget = budgetMicros(campaign);
  // Less than a cent left is nothing left.
  const isUsedUp = spentMicros + 10_000 > budget;
  if ((status !== "active" && status !== "paused") || !(budget > 0)) return [];
  if (!isUsedUp && spentMicros < budget * nearlyUsed) return [];
  const dollars = (micros: number) => dollarsOf(centsOfMicros(BigInt(Math.round(micros))));
  return [
    {
      event: isUsedUp ? "budget_used_up" : "budget_nearly_used",
      accountId: advertiserId,
      key: `budget/${isUsedUp ? 100 : 80}/${id}/${budget}`,
      subjectId: id,
      campaignId: id,
      advertiserId,
      facts: { spend: dollars(spentMicros), budget: dollars(budget) },
    },
  ];
}

/** What it may spend at the moment: while versions differ, the smaller budget holds. */
function budgetMicros({ lineItems: items, versions }: LockedCampaign): number {
  const budgets = items.flatMap((item) => {
    const approved = versions.get(item.approvedVersion ?? 0)?.totalBudgetCents;
    const sent = versions.get(item.sentVersion)?.totalBudgetCents;
    return approved && sent && item.status !== "withdrawn" ? [Math.min(approved, sent)] : [];
  });
  return Math.max(0, ...budgets) * 10_000;
}

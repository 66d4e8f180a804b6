import { currentBudgetMicros } from "#app/domain/campaigns/current-budget.ts";
import type { Ctx } from "#app/domain/context.ts";
import type { LockedCampaign } from "#app/domain/delivery/lock-campaigns.server.ts";
import { centsToDollars, microsToCents } from "#app/domain/money.ts";
import { type NotificationInput, notifyAccounts } from "#app/domain/notifications/notify-accounts.server.ts";

const warningShare = 0.8;

/**
 * Notifies the advertisers of the locked campaigns when 80% or all of a budget is spent: once per budget, so that a
 * raised budget notifies again.
 */
export async function notifyBudgetThresholds(ctx: Ctx, locked: readonly LockedCampaign[]): Promise<void> {
  await notifyAccounts(ctx, locked.flatMap(notificationsForCampaign));
}

function notificationsForCampaign(campaign: LockedCampaign): NotificationInput[] {
  const { id, advertiserId, status, spentMicros } = campaign;
  const budget = currentBudgetMicros(campaign);
  // A remainder below one cent counts as nothing.
  const isExhausted = spentMicros + 10_000 > budget;
  if ((status !== "active" && status !== "paused") || !(budget > 0)) return [];
  if (!isExhausted && spentMicros < budget * warningShare) return [];
  const dollars = (micros: number) => centsToDollars(microsToCents(BigInt(Math.round(micros))));
  return [
    {
      event: isExhausted ? "budget_used_up" : "budget_nearly_used",
      accountId: advertiserId,
      key: `budget/${isExhausted ? 100 : 80}/${id}/${budget}`,
      subjectId: id,
      campaignId: id,
      advertiserId,
      facts: { spend: dollars(spentMicros), budget: dollars(budget) },
    },
  ];
}

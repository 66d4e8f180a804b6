import { and, eq, isNull } from "drizzle-orm";
import type { LockedLineItem } from "#app/domain/campaigns/line-items/lock-line-item.server.ts";
import type { Ctx, PublisherActor } from "#app/domain/context.ts";
import { notifyAccounts } from "#app/domain/notifications/notify-accounts.server.ts";
import { lineItems } from "#db/schema/index.ts";

/**
 * Notifies the advertiser when the last of several publishers has decided. Runs in the decision's transaction, under
 * the campaign's lock. With a single publisher, the decision itself already notifies.
 */
export async function notifyAllDecided(ctx: Ctx<PublisherActor>, item: LockedLineItem): Promise<void> {
  const items = await ctx.db
    .select({ approvalStatus: lineItems.approvalStatus })
    .from(lineItems)
    .where(and(eq(lineItems.campaignId, item.campaignId), isNull(lineItems.withdrawnAt)));
  const count = (status: string) => items.filter(({ approvalStatus }) => approvalStatus === status).length;
  if (items.length < 2 || count("pending") > 0) return;
  await notifyAccounts(ctx, [
    {
      event: "campaign_decided",
      accountId: item.advertiserId,
      key: `decided/${item.campaignId}/${item.sentVersion}`,
      subjectId: item.campaignId,
      campaignId: item.campaignId,
      advertiserId: item.advertiserId,
      facts: { asked: items.length, approved: count("approved") },
    },
  ]);
}

import { and, eq, isNull } from "drizzle-orm";
import { lineItems } from "#db/schema/index.ts";
import type { Ctx, PublisherActor } from "../context.ts";
import { tellAccounts } from "../notifications/tell-accounts.server.ts";
import type { LockedLineItem } from "./lock-line-item.server.ts";

/**
 * Tells the advertiser that the last of several publishers decided, in the decision's transaction and under the campaign's
 * lock. Where only one was asked, its decision says so already.
 */
export async function tellAllDecided(ctx: Ctx<PublisherActor>, item: LockedLineItem): Promise<void> {
  const asked = await ctx.db
    .select({ approvalStatus: lineItems.approvalStatus })
    .from(lineItems)
    .where(and(eq(lineItems.campaignId, item.campaignId), isNull(lineItems.withdrawnAt)));
  const count = (status: string) => asked.filter(({ approvalStatus }) => approvalStatus === status).length;
  if (asked.length < 2 || count("pending") > 0) return;
  await tellAccounts(ctx, [
    {
      event: "campaign_decided",
      accountId: item.advertiserId,
      key: `decided/${item.campaignId}/${item.sentVersion}`,
      subjectId: item.campaignId,
      campaignId: item.campaignId,
      advertiserId: item.advertiserId,
      facts: { asked: asked.length, approved: count("approved") },
    },
  ]);
}

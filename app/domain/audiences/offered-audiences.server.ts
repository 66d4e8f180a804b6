import { type SQL, sql } from "drizzle-orm";
import { audiences, campaigns, lineItems, versionAudiences } from "#db/schema/index.ts";
import { isOfApproved } from "../accounts/is-of-approved.server.ts";
import type { ReadCtx } from "../context.ts";
import type { AccountId, CampaignId } from "../ids.ts";

/**
 * The condition that advertisers can select an audience: it is ready, and its publisher is approved. A suspended one
 * could decide on no campaign. The status is a literal, so that the condition is the one of the partial indexes.
 */
export function isOffered(ctx: Pick<ReadCtx, "db">): SQL {
  return sql`${audiences.status} = 'ready' and ${isOfApproved(ctx, audiences.publisherId)}`;
}

/**
 * The condition that a campaign can use an audience also while its publisher is suspended: the publisher has approved
 * the campaign. Nobody has approved a new one, which has no id.
 */
export function isOfApprover(campaignId: CampaignId | undefined): SQL {
  return sql`exists (select from ${lineItems} where ${lineItems.campaignId} = ${campaignId ?? null}::uuid
    and ${lineItems.publisherId} = ${audiences.publisherId} and ${hasApproved})`;
}

/** The same of the campaigns of an advertiser, of those that have the audience. */
export function isInApprovedCampaign(advertiserId: AccountId): SQL {
  return sql`exists (select from ${versionAudiences}
    join ${campaigns} on ${campaigns.id} = ${versionAudiences.campaignId} and ${campaigns.advertiserId} = ${advertiserId}
    join ${lineItems} on ${lineItems.campaignId} = ${versionAudiences.campaignId} and ${lineItems.publisherId} = ${versionAudiences.publisherId}
    where ${versionAudiences.audienceId} = ${audiences.id} and ${hasApproved})`;
}

const hasApproved = sql`${lineItems.approvedVersion} is not null and ${lineItems.withdrawnAt} is null`;

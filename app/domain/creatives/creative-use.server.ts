import { and, desc, eq, inArray, ne, or, sql } from "drizzle-orm";
import { campaigns, campaignVersions, lineItems } from "#db/schema/index.ts";
import type { Ctx, TenantActor } from "../context.ts";
import type { CreativeId } from "../ids.ts";

const maxCampaigns = 20;

/**
 * Lists the newest campaigns, at most 20, that show the creative in an approved or pending version. Completed,
 * withdrawn and rejected versions do not count. The campaigns belong to the creative's owner or are managed by it.
 */
export async function listCreativeBlockingCampaigns(ctx: Ctx<TenantActor>, id: CreativeId) {
  return ctx.db
    .selectDistinct({ id: campaigns.id, name: campaigns.name })
    .from(campaignVersions)
    .innerJoin(campaigns, eq(campaigns.id, campaignVersions.campaignId))
    .innerJoin(
      lineItems,
      and(
        eq(lineItems.campaignId, campaignVersions.campaignId),
        or(
          eq(lineItems.approvedVersion, campaignVersions.number),
          and(eq(lineItems.sentVersion, campaignVersions.number), eq(lineItems.approvalStatus, "pending")),
        ),
      ),
    )
    .where(
      and(
        // The same expression as in the index.
        sql`${campaignVersions.creativeIds} <> '{}'`,
        sql`${campaignVersions.creativeIds} @> array[${id}::uuid]`,
        inArray(campaigns.status, ["pending", "active", "paused"]),
        ne(lineItems.status, "withdrawn"),
      ),
    )
    .orderBy(desc(campaigns.id))
    .limit(maxCampaigns);
}

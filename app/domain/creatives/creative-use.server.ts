import { and, desc, eq, inArray, ne, or, sql } from "drizzle-orm";
import { campaigns, campaignVersions, lineItems } from "#db/schema/index.ts";
import type { Ctx, TenantActor } from "../context.ts";
import type { CreativeId } from "../ids.ts";

const shown = 20;

/**
 * The newest campaigns, at most 20, that show the creative: in a version that a publisher approved, or that waits for its
 * decision. What was completed, withdrawn or rejected shows nothing. They are the owner's, or those that it manages.
 */
export async function listCampaignsShowing(ctx: Ctx<TenantActor>, id: CreativeId) {
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
        // In the words of the index.
        sql`${campaignVersions.creativeIds} <> '{}'`,
        sql`${campaignVersions.creativeIds} @> array[${id}::uuid]`,
        inArray(campaigns.status, ["pending", "active", "paused"]),
        ne(lineItems.status, "withdrawn"),
      ),
    )
    .orderBy(desc(campaigns.id))
    .limit(shown);
}

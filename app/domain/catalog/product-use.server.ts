import { and, desc, eq, inArray, ne, or, sql } from "drizzle-orm";
import { columnValue, sqlValue } from "#db/query-rows.server.ts";
import { campaigns, campaignVersions, lineItems, products } from "#db/schema/index.ts";
import type { Ctx, TenantActor } from "../context.ts";
import type { ProductId } from "../ids.ts";

const maxCampaigns = 20;

/**
 * The versions of the account's campaigns that are visible to a publisher: the approved ones and those pending a
 * decision. Completed, withdrawn and rejected versions are not visible.
 */
function visibleVersions(ctx: Ctx<TenantActor>) {
  return ctx.db
    .select({ campaignId: campaigns.id, name: campaigns.name, productIds: campaignVersions.productIds })
    .from(campaigns)
    .innerJoin(lineItems, eq(lineItems.campaignId, campaigns.id))
    .innerJoin(
      campaignVersions,
      and(
        eq(campaignVersions.campaignId, campaigns.id),
        or(
          eq(campaignVersions.number, lineItems.approvedVersion),
          and(eq(campaignVersions.number, lineItems.sentVersion), eq(lineItems.approvalStatus, "pending")),
        ),
      ),
    )
    .where(
      and(
        eq(campaigns.advertiserId, ctx.actor.accountId),
        inArray(campaigns.status, ["pending", "active", "paused"]),
        ne(lineItems.status, "withdrawn"),
        sql`cardinality(${campaignVersions.productIds}) > 0`,
      ),
    );
}

/**
 * The ids of the products that must not be deleted, as a subquery. (The alias differs from every table's column names
 * because drizzle does not qualify it.)
 */
export function productIdsInUse(ctx: Ctx<TenantActor>) {
  const versions = visibleVersions(ctx).as("shown_versions");
  return ctx.db
    .select({ id: sqlValue(columnValue(products.id), sql`unnest(${versions.productIds})`).as("used_id") })
    .from(versions);
}

/** Lists the newest campaigns, at most 20, that show the product or will show it once approved. */
export async function listProductBlockingCampaigns(ctx: Ctx<TenantActor>, id: ProductId) {
  const versions = visibleVersions(ctx).as("shown_versions");
  return ctx.db
    .selectDistinct({ id: versions.campaignId, name: versions.name })
    .from(versions)
    .where(sql`${id}::uuid = any(${versions.productIds})`)
    .orderBy(desc(versions.campaignId))
    .limit(maxCampaigns);
}

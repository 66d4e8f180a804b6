import { and, desc, eq, inArray, ne, or, sql } from "drizzle-orm";
import { columnValue, sqlValue } from "#db/query-rows.server.ts";
import { campaigns, campaignVersions, lineItems, products } from "#db/schema/index.ts";
import type { Ctx, TenantActor } from "../context.ts";
import type { ProductId } from "../ids.ts";

const shown = 20;

/**
 * The versions of the account's campaigns that are shown to somebody: those that a publisher approved, and those that wait
 * for its decision. What was completed, withdrawn or rejected shows nothing.
 */
function shownVersions(ctx: Ctx<TenantActor>) {
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

/** The ids of the products that must stay, as a subquery. (Its column has a name that no table has: drizzle does not qualify it.) */
export function usedProducts(ctx: Ctx<TenantActor>) {
  const versions = shownVersions(ctx).as("shown_versions");
  return ctx.db
    .select({ id: sqlValue(columnValue(products.id), sql`unnest(${versions.productIds})`).as("used_id") })
    .from(versions);
}

/** The newest campaigns that show the product, or wait for a decision to; at most 20. */
export async function listUsingCampaigns(ctx: Ctx<TenantActor>, id: ProductId) {
  const versions = shownVersions(ctx).as("shown_versions");
  return ctx.db
    .selectDistinct({ id: versions.campaignId, name: versions.name })
    .from(versions)
    .where(sql`${id}::uuid = any(${versions.productIds})`)
    .orderBy(desc(versions.campaignId))
    .limit(shown);
}

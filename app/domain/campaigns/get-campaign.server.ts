import { and, asc, eq, inArray } from "drizzle-orm";
import { accounts, audiences, campaigns, lineItems, products } from "#db/schema/index.ts";
import { roundedSize } from "../audiences/audience.ts";
import type { AdvertiserActor, Ctx } from "../context.ts";
import { notFound } from "../errors.ts";
import type { AudienceId, CampaignId, ProductId } from "../ids.ts";
import { centsOfMicros } from "../money.ts";
import { percentOf } from "../rate.ts";
import { differingFields } from "./campaign-content.ts";
import { centsOrNull, contentOf, findVersionContent } from "./campaign-rows.server.ts";
import { ctrPercent, roas } from "./metrics.ts";

/**
 * One of the advertiser's campaigns, whole: its working copy, the audiences and products in it by name, what each
 * publisher said, and which fields wait unsent. Amounts in cents, CTR in percent. Throws `not_found`.
 */
export async function getCampaign(ctx: Ctx<AdvertiserActor>, id: CampaignId) {
  const [row] = await ctx.db
    .select()
    .from(campaigns)
    .where(and(eq(campaigns.id, id), eq(campaigns.advertiserId, ctx.actor.accountId)));
  if (!row) throw notFound("Campaign");
  const content = contentOf(row);
  const sent = row.hasUnsentChanges ? await findVersionContent(ctx, id, row.version) : undefined;
  return {
    id: row.id,
    name: row.name,
    status: row.status,
    content,
    version: row.version,
    unsentFields: sent ? differingFields(sent, content) : [],
    launchedAt: row.launchedAt,
    completedAt: row.completedAt,
    createdAt: row.createdAt,
    updatedAt: row.updatedAt,
    managedByRetailer: row.managedByPublisherId !== null,
    impressions: row.impressions,
    clicks: row.clicks,
    conversions: row.conversions,
    spentCents: centsOfMicros(row.spendMicros),
    revenueCents: centsOfMicros(row.revenueMicros),
    ctr: ctrPercent(row),
    roas: roas(row),
    audiences: await listChosenAudiences(ctx, content.audienceIds),
    products: await listChosenProducts(ctx, content.productIds),
    lineItems: await listLineItemsOf(ctx, id),
  };
}

export type CampaignDetail = Awaited<ReturnType<typeof getCampaign>>;

async function listLineItemsOf(ctx: Ctx<AdvertiserActor>, id: CampaignId) {
  const rows = await ctx.db
    .select({ lineItem: lineItems, publisherName: accounts.companyName })
    .from(lineItems)
    .innerJoin(accounts, eq(accounts.id, lineItems.publisherId))
    .where(eq(lineItems.campaignId, id))
    .orderBy(asc(lineItems.id));
  return rows.map(({ lineItem, publisherName }) => ({
    id: lineItem.id,
    publisherName,
    status: lineItem.status,
    approvalStatus: lineItem.approvalStatus,
    sentVersion: lineItem.sentVersion,
    approvedVersion: lineItem.approvedVersion,
    notes: lineItem.notes,
    decidedAt: lineItem.decidedAt,
    sentAt: lineItem.sentAt,
    pausedByPublisher: lineItem.publisherPausedAt !== null,
    managedByRetailer: lineItem.managedByRetailer,
    commissionRate: percentOf(lineItem.commissionRateBps),
    impressions: lineItem.impressions,
    clicks: lineItem.clicks,
    conversions: lineItem.conversions,
    spentCents: centsOfMicros(lineItem.spendMicros),
    ctr: ctrPercent(lineItem),
  }));
}

async function listChosenAudiences(ctx: Ctx<AdvertiserActor>, ids: AudienceId[]) {
  if (ids.length === 0) return [];
  const rows = await ctx.db
    .select({
      id: audiences.id,
      name: audiences.name,
      segment: audiences.segment,
      size: audiences.size,
      cpmCents: audiences.cpmCents,
      status: audiences.status,
      publisherName: accounts.companyName,
    })
    .from(audiences)
    .innerJoin(accounts, eq(accounts.id, audiences.publisherId))
    .where(inArray(audiences.id, ids))
    .orderBy(asc(audiences.name), asc(audiences.id));
  return rows.map(({ size, cpmCents, ...row }) => ({
    ...row,
    estimatedSize: roundedSize(size),
    cpmCents: centsOrNull(cpmCents),
  }));
}

async function listChosenProducts(ctx: Ctx<AdvertiserActor>, ids: ProductId[]) {
  if (ids.length === 0) return [];
  return ctx.db
    .select({ id: products.id, name: products.name, sku: products.sku })
    .from(products)
    .where(and(eq(products.accountId, ctx.actor.accountId), inArray(products.id, ids)))
    .orderBy(asc(products.name), asc(products.id));
}

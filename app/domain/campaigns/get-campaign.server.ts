import { and, asc, eq, inArray } from "drizzle-orm";
import { accounts, audiences, campaigns, decisions, lineItems, products } from "#db/schema/index.ts";
import { publishedSizes } from "../audiences/snapshots/current-snapshots.server.ts";
import type { AdvertiserActor, Ctx } from "../context.ts";
import { listCreativesById } from "../creatives/creative-rows.server.ts";
import { notFound } from "../errors.ts";
import type { AudienceId, CampaignId, ProductId } from "../ids.ts";
import { invariant } from "../invariant.ts";
import { microsToCents } from "../money.ts";
import { differingFields } from "./campaign-content.ts";
import { centsOrNull, findVersionContent, toCampaignContent, toUnreviewedValues } from "./campaign-rows.server.ts";
import { ctrPercent, roas } from "./metrics.ts";
import { readStatusFacts } from "./status/read-status-facts.server.ts";
import { archivedReason, campaignStatusReason, lineItemStatusReason } from "./status/status-reason.ts";

/**
 * Returns one of the advertiser's campaigns: its working copy with its audiences, products and creatives, each
 * publisher's decision, and the fields with unsent changes. Amounts are in cents, CTR in percent. Throws `not_found`.
 */
export async function getCampaign(ctx: Ctx<AdvertiserActor>, id: CampaignId) {
  return addPublishedSizes(ctx, await getCampaignWithoutSizes(ctx, id));
}

/**
 * Returns the same without the sizes of its audiences, whose snapshots may have to be created: for a read-only
 * transaction.
 */
export async function getCampaignWithoutSizes(ctx: Ctx<AdvertiserActor>, id: CampaignId) {
  const [row] = await ctx.db
    .select()
    .from(campaigns)
    .where(and(eq(campaigns.id, id), eq(campaigns.advertiserId, ctx.actor.accountId)));
  if (!row) throw notFound("Campaign");
  const content = toCampaignContent(row);
  const sentContent = row.hasUnsentChanges ? await findVersionContent(ctx, id, row.version) : undefined;
  return {
    id: row.id,
    ...toUnreviewedValues(row),
    status: row.status,
    content,
    version: row.version,
    unsentFields: sentContent ? differingFields(sentContent, content) : [],
    launchedAt: row.launchedAt,
    completedAt: row.completedAt,
    archivedAt: row.archivedAt,
    createdAt: row.createdAt,
    updatedAt: row.updatedAt,
    managedByRetailer: row.managedByPublisherId !== null,
    impressions: row.impressions,
    clicks: row.clicks,
    conversions: row.conversions,
    spentCents: microsToCents(row.spendMicros),
    revenueCents: microsToCents(row.revenueMicros),
    ctr: ctrPercent(row),
    roas: roas(row),
    audiences: await listChosenAudiences(ctx, content.audienceIds),
    products: await listChosenProducts(ctx, content.productIds),
    creatives: await listCreativesById(ctx, content.creativeIds),
    ...(await listCampaignLineItems(ctx, row)),
  };
}

/** Adds the published sizes of a campaign's audiences. Creates what snapshots of them are missing. */
export async function addPublishedSizes<Campaign extends { audiences: ChosenAudience[] }>(
  ctx: Ctx<AdvertiserActor>,
  campaign: Campaign,
) {
  const ready = campaign.audiences.filter(({ status }) => status === "ready").map(({ id }) => id);
  const published = await publishedSizes(ctx, ready);
  const audiences = campaign.audiences.map((audience) => ({
    ...audience,
    estimatedSize: published.get(audience.id)?.from ?? 0,
    publishedSize: published.get(audience.id) ?? null,
  }));
  return { ...campaign, audiences };
}

type ChosenAudience = Awaited<ReturnType<typeof listChosenAudiences>>[number];

export type CampaignDetail = Awaited<ReturnType<typeof getCampaign>>;

/** The campaign's line items and the reasons of its status and of theirs. */
async function listCampaignLineItems(
  ctx: Ctx<AdvertiserActor>,
  campaign: Pick<typeof campaigns.$inferSelect, "id" | "status" | "archivedAt">,
) {
  const rows = await ctx.db
    .select({ lineItem: lineItems, publisherName: accounts.companyName, reasons: decisions.reasons })
    .from(lineItems)
    .innerJoin(accounts, eq(accounts.id, lineItems.publisherId))
    .leftJoin(decisions, and(eq(decisions.lineItemId, lineItems.id), eq(decisions.version, lineItems.sentVersion)))
    .where(eq(lineItems.campaignId, campaign.id))
    .orderBy(asc(lineItems.id));
  const facts = await readStatusFacts(ctx, [campaign.id]);
  const factsById = new Map(facts.map((known) => [known.id, known]));
  const items = rows.map(({ lineItem, publisherName, reasons }) => {
    const statusFacts = factsById.get(lineItem.id);
    invariant(statusFacts, "line item has no status facts", { id: lineItem.id });
    return {
      id: lineItem.id,
      publisherName,
      status: lineItem.status,
      statusReason: lineItemStatusReason(statusFacts),
      approvalStatus: lineItem.approvalStatus,
      sentVersion: lineItem.sentVersion,
      approvedVersion: lineItem.approvedVersion,
      notes: lineItem.notes,
      /** The reasons that the publisher selected when it rejected the newest version. */
      reasons: lineItem.approvalStatus === "rejected" ? (reasons ?? []) : [],
      decidedAt: lineItem.decidedAt,
      sentAt: lineItem.sentAt,
      pausedByPublisher: lineItem.publisherPausedAt !== null,
      managedByRetailer: lineItem.managedByRetailer,
      impressions: lineItem.impressions,
      clicks: lineItem.clicks,
      conversions: lineItem.conversions,
      spentCents: microsToCents(lineItem.spendMicros),
      ctr: ctrPercent(lineItem),
      delivery: statusFacts.delivery,
    };
  });
  const statusReason = archivedReason(campaign.archivedAt) ?? campaignStatusReason(campaign.status, facts);
  return { lineItems: items, statusReason };
}

async function listChosenAudiences(ctx: Ctx<AdvertiserActor>, ids: AudienceId[]) {
  if (ids.length === 0) return [];
  const rows = await ctx.db
    .select({
      id: audiences.id,
      name: audiences.name,
      segment: audiences.segment,
      cpmCents: audiences.cpmCents,
      status: audiences.status,
      publisherName: accounts.companyName,
    })
    .from(audiences)
    .innerJoin(accounts, eq(accounts.id, audiences.publisherId))
    .where(inArray(audiences.id, ids))
    .orderBy(asc(audiences.name), asc(audiences.id));
  return rows.map(({ cpmCents, ...row }) => ({ ...row, cpmCents: centsOrNull(cpmCents) }));
}

async function listChosenProducts(ctx: Ctx<AdvertiserActor>, ids: ProductId[]) {
  if (ids.length === 0) return [];
  return ctx.db
    .select({ id: products.id, name: products.name, sku: products.sku })
    .from(products)
    .where(and(eq(products.accountId, ctx.actor.accountId), inArray(products.id, ids)))
    .orderBy(asc(products.name), asc(products.id));
}

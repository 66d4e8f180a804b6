import { and, asc, eq, inArray, isNull, sql } from "drizzle-orm";
import { alias } from "drizzle-orm/pg-core";
import { z } from "zod";
import { sqlValue } from "#db/query-rows.server.ts";
import {
  accounts,
  audiences,
  campaigns,
  campaignVersions,
  decisions,
  fundsHolds,
  lineItems,
  products,
} from "#db/schema/index.ts";
import { publishedSizes } from "../audiences/snapshots/current-snapshots.server.ts";
import { calendarDateOf } from "../calendar-date.ts";
import type { AdvertiserActor, Ctx } from "../context.ts";
import { listCreativesOf } from "../creatives/creative-rows.server.ts";
import { notFound } from "../errors.ts";
import type { AudienceId, CampaignId, ProductId } from "../ids.ts";
import { centsOfMicros } from "../money.ts";
import { percentOf } from "../rate.ts";
import { differingFields } from "./campaign-content.ts";
import { centsOrNull, contentOf, findVersionContent } from "./campaign-rows.server.ts";
import { type DeliveryBounds, mayDeliver } from "./may-deliver.ts";
import { ctrPercent, roas } from "./metrics.ts";

/**
 * One of the advertiser's campaigns, whole: its working copy, the audiences, products and creatives in it, what each
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
    pacing: row.pacing,
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
    creatives: await listCreativesOf(ctx, content.creativeIds),
    lineItems: await listLineItemsOf(ctx, row),
  };
}

export type CampaignDetail = Awaited<ReturnType<typeof getCampaign>>;

async function listLineItemsOf(
  ctx: Ctx<AdvertiserActor>,
  campaign: Pick<typeof campaigns.$inferSelect, "id" | "spendMicros" | "advertiserId">,
) {
  const sent = alias(campaignVersions, "sent");
  const approved = alias(campaignVersions, "approved");
  const holds = ctx.db
    .select({ accountId: fundsHolds.accountId })
    .from(fundsHolds)
    .where(and(eq(fundsHolds.accountId, campaign.advertiserId), isNull(fundsHolds.releasedAt)));
  const rows = await ctx.db
    .select({
      lineItem: lineItems,
      publisherName: accounts.companyName,
      sent,
      approved,
      reasons: decisions.reasons,
      waitsForFunds: sqlValue(z.boolean(), sql`exists (${holds})`),
    })
    .from(lineItems)
    .innerJoin(accounts, eq(accounts.id, lineItems.publisherId))
    .innerJoin(sent, and(eq(sent.campaignId, lineItems.campaignId), eq(sent.number, lineItems.sentVersion)))
    .leftJoin(
      approved,
      and(eq(approved.campaignId, lineItems.campaignId), eq(approved.number, lineItems.approvedVersion)),
    )
    .leftJoin(decisions, and(eq(decisions.lineItemId, lineItems.id), eq(decisions.version, lineItems.sentVersion)))
    .where(eq(lineItems.campaignId, campaign.id))
    .orderBy(asc(lineItems.id));
  const today = calendarDateOf(ctx.clock());
  const spentCents = centsOfMicros(campaign.spendMicros);
  return rows.map(({ lineItem, publisherName, reasons, waitsForFunds, ...versions }) => ({
    id: lineItem.id,
    publisherName,
    status: lineItem.status,
    approvalStatus: lineItem.approvalStatus,
    sentVersion: lineItem.sentVersion,
    approvedVersion: lineItem.approvedVersion,
    notes: lineItem.notes,
    /** What the publisher ticked when it rejected the newest version. */
    reasons: lineItem.approvalStatus === "rejected" ? (reasons ?? []) : [],
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
    delivery: mayDeliver(
      {
        status: lineItem.status,
        approved: versions.approved ? boundsOf(versions.approved) : undefined,
        sent: boundsOf(versions.sent),
        spentCents,
        waitsForFunds,
      },
      today,
    ),
  }));
}

function boundsOf(version: typeof campaignVersions.$inferSelect): DeliveryBounds {
  const { startDate, endDate } = version;
  return {
    totalBudgetCents: centsOrNull(version.totalBudgetCents),
    dailyBudgetCents: centsOrNull(version.dailyBudgetCents),
    startDate,
    endDate,
  };
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
  const ready = rows.filter(({ status }) => status === "ready").map(({ id }) => id);
  const published = await publishedSizes(ctx, ready);
  return rows.map(({ cpmCents, ...row }) => ({
    ...row,
    estimatedSize: published.get(row.id)?.from ?? 0,
    publishedSize: published.get(row.id) ?? null,
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

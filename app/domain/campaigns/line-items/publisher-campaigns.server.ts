import { and, eq, sql } from "drizzle-orm";
import { z } from "zod";
import { centsOrNull, toCampaignContent } from "#app/domain/campaigns/campaign-rows.server.ts";
import { commissionEarned, ctrPercent } from "#app/domain/campaigns/metrics.ts";
import { readStatusFacts } from "#app/domain/campaigns/status/read-status-facts.server.ts";
import { archivedReason, lineItemStatusReason, type StatusReason } from "#app/domain/campaigns/status/status-reason.ts";
import type { Ctx, PublisherActor } from "#app/domain/context.ts";
import { invariant } from "#app/domain/invariant.ts";
import { microsToCents } from "#app/domain/money.ts";
import { bpsToPercent } from "#app/domain/rate.ts";
import type { SortOrder } from "#app/domain/sorted-page.server.ts";
import type { Database } from "#db/client.server.ts";
import { columnValue, sqlValue } from "#db/query-rows.server.ts";
import { audiences, campaigns, campaignVersions, lineItems, versionAudiences } from "#db/schema/index.ts";

const listedAudience = z.object({
  id: columnValue(audiences.id),
  name: z.string(),
  segment: z.string(),
  size: z.number(),
  cpm_cents: z.number().nullable(),
});

/** The select of every publisher view of campaigns; the caller adds the condition on the publisher. */
export function selectPublisherCampaigns({ db, order }: { db: Database; order?: SortOrder }) {
  return db
    .select({
      lineItem: lineItems,
      version: campaignVersions,
      sortValue: order ? sqlValue(z.string().nullable(), sql`(${order.by})::text`) : sqlValue(z.null(), sql`null`),
      // Pacing belongs to the campaign, not to a version: changes apply at once.
      pacing: sqlValue(
        columnValue(campaigns.pacing),
        sql`(select pacing from ${campaigns} where ${campaigns.id} = ${lineItems.campaignId})`,
      ),
      // Only the publisher's own audiences; those of other publishers are hidden from it.
      audiences: sqlValue(
        z.array(listedAudience),
        sql`(
        select coalesce(json_agg(json_build_object('id', a.id, 'name', a.name, 'segment', a.segment, 'size', a.size,
          'cpm_cents', coalesce(chosen.cpm_cents, a.cpm_cents)) order by a.name, a.id), '[]')
        from ${versionAudiences} chosen join ${audiences} a on a.id = chosen.audience_id
        where chosen.campaign_id = ${lineItems.campaignId} and chosen.version = ${lineItems.sentVersion}
          and chosen.publisher_id = ${lineItems.publisherId})`,
      ),
    })
    .from(lineItems)
    .innerJoin(
      campaignVersions,
      and(eq(campaignVersions.campaignId, lineItems.campaignId), eq(campaignVersions.number, lineItems.sentVersion)),
    )
    .$dynamic();
}

type PublisherCampaignRow = Awaited<ReturnType<typeof selectPublisherCampaigns>>[number];

/**
 * A campaign as shown to a publisher. Amounts are in cents, rates and CTR in percent; counters are those of the line
 * item.
 */
export type PublisherCampaign = ReturnType<typeof toPublisherCampaign>;

/** Converts rows of the caller to campaigns, with the reasons of their statuses. */
export async function toPublisherCampaigns(
  ctx: Ctx<PublisherActor>,
  rows: readonly PublisherCampaignRow[],
): Promise<PublisherCampaign[]> {
  const facts = await readStatusFacts(
    ctx,
    rows.map(({ lineItem }) => lineItem.campaignId),
  );
  const reasons = new Map(facts.map((known) => [known.id, lineItemStatusReason(known)]));
  return rows.map((row) => {
    const reason = archivedReason(row.lineItem.archivedAt) ?? reasons.get(row.lineItem.id);
    invariant(reason, "line item has no status facts", { id: row.lineItem.id });
    return toPublisherCampaign(row, reason);
  });
}

function toPublisherCampaign(
  { lineItem, version, pacing, audiences: chosen }: PublisherCampaignRow,
  statusReason: StatusReason,
) {
  // The publisher sees its own audiences alone, and no products.
  const { audienceIds: _, productIds: __, ...content } = toCampaignContent({ ...version, audienceIds: [] });
  return {
    id: lineItem.campaignId,
    lineItemId: lineItem.id,
    name: lineItem.campaignName,
    advertiserName: lineItem.advertiserName,
    approvalStatus: lineItem.approvalStatus,
    status: lineItem.status,
    statusReason,
    version: lineItem.sentVersion,
    approvedVersion: lineItem.approvedVersion,
    notes: lineItem.notes,
    sentAt: lineItem.sentAt,
    decidedAt: lineItem.decidedAt,
    archivedAt: lineItem.archivedAt,
    /** Whether the campaign ended before the publisher decided on its first version. */
    hasEndedUndecided: lineItem.withdrawnAt !== null && lineItem.completedAt !== null,
    ...content,
    pacing,
    spentCents: microsToCents(lineItem.spendMicros),
    audiences: chosen.map(({ cpm_cents, ...audience }) => ({ ...audience, cpmCents: centsOrNull(cpm_cents) })),
    managedByRetailer: lineItem.managedByRetailer,
    pausedByPublisher: lineItem.publisherPausedAt !== null,
    pausedByAdvertiser: lineItem.advertiserPausedAt !== null,
    commissionRate: bpsToPercent(lineItem.commissionRateBps),
    commissionRateBps: lineItem.commissionRateBps,
    commissionEarnedCents: commissionEarned(lineItem.spendMicros, lineItem.commissionRateBps),
    impressions: lineItem.impressions,
    clicks: lineItem.clicks,
    conversions: lineItem.conversions,
    ctr: ctrPercent(lineItem),
  };
}

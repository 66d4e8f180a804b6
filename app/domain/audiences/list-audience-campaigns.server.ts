import { and, eq, sql } from "drizzle-orm";
import { z } from "zod";
import { columnValue, queryRows, sqlValue } from "#db/query-rows.server.ts";
import { accountCategoryMonths, audiences, lineItems } from "#db/schema/index.ts";
import { earnedUnitsPerCent } from "../analytics/delivery-metrics.ts";
import type { Ctx, PublisherActor } from "../context.ts";
import type { AudienceId } from "../ids.ts";
import { asCents } from "../money.ts";
import { usesAudience, usesOf } from "./audience-use.server.ts";

const maxRows = 20;

const campaignRow = z.object({
  lineItemId: columnValue(lineItems.id),
  id: columnValue(lineItems.campaignId),
  name: columnValue(lineItems.campaignName),
  advertiserName: columnValue(lineItems.advertiserName),
  status: columnValue(lineItems.status),
});

/**
 * Lists the newest 20 of the publisher's campaigns that use the audience. The audience's campaigns are read in the
 * order of its index, and no more of them than are listed.
 */
export async function listAudienceCampaigns(ctx: Ctx<PublisherActor>, id: AudienceId) {
  const { accountId } = ctx.actor;
  return queryRows(
    ctx.db,
    campaignRow,
    sql`
      select item.id as "lineItemId", part.campaign_id as id, item.campaign_name as name, item.advertiser_name as "advertiserName", item.status
      from (select distinct campaign_id from version_audiences where audience_id = ${id} order by campaign_id desc) part
      cross join lateral (
        select line_items.* from line_items where line_items.campaign_id = part.campaign_id and line_items.publisher_id = ${accountId}
          and exists (select from version_audiences where version_audiences.audience_id = ${id} and ${usesAudience}) offset 0
      ) item
      order by part.campaign_id desc limit ${maxRows}`,
  );
}

export type AudienceCampaign = Awaited<ReturnType<typeof listAudienceCampaigns>>[number];

/**
 * Returns what the audience earned the publisher in all campaigns that were ever approved on it, rounded down to the
 * cent as in analytics, and the number of campaigns that use it now.
 */
export async function getAudienceMetrics(ctx: Ctx<PublisherActor>, id: AudienceId) {
  const [[used], [sums]] = await Promise.all([
    ctx.db
      .select({ campaigns: sqlValue(z.coerce.number(), usesOf(audiences.id)) })
      .from(audiences)
      .where(and(eq(audiences.id, id), eq(audiences.publisherId, ctx.actor.accountId))),
    ctx.db
      .select({
        impressions: sqlValue(z.string(), sql`coalesce(sum(${accountCategoryMonths.impressions}), 0)::text`),
        earnedUnits: sqlValue(z.string(), sql`coalesce(sum(${accountCategoryMonths.earnedUnits}), 0)::text`),
      })
      .from(accountCategoryMonths)
      .where(and(eq(accountCategoryMonths.accountId, ctx.actor.accountId), eq(accountCategoryMonths.audienceId, id))),
  ]);
  return {
    usedIn: used?.campaigns ?? 0,
    impressions: Number(sums?.impressions ?? 0),
    earnedCents: asCents(Number(BigInt(sums?.earnedUnits ?? 0) / BigInt(earnedUnitsPerCent))),
  };
}

import { and, desc, eq, sql } from "drizzle-orm";
import { z } from "zod";
import { sqlValue } from "#db/query-rows.server.ts";
import { lineItemAudienceMonths, lineItems, versionAudiences } from "#db/schema/index.ts";
import { commissionEarned } from "../campaigns/metrics.ts";
import type { Ctx, PublisherActor } from "../context.ts";
import type { AudienceId } from "../ids.ts";
import { asCents, type Cents } from "../money.ts";
import { usesAudience } from "./audience-use.server.ts";

const maxRows = 20;

/** Lists the newest 20 of the publisher's campaigns that use the audience. */
export async function listAudienceCampaigns(ctx: Ctx<PublisherActor>, id: AudienceId) {
  return ctx.db
    .selectDistinct({
      lineItemId: lineItems.id,
      id: lineItems.campaignId,
      name: lineItems.campaignName,
      advertiserName: lineItems.advertiserName,
      status: lineItems.status,
    })
    .from(versionAudiences)
    .innerJoin(lineItems, usesAudience)
    .where(and(eq(versionAudiences.audienceId, id), eq(lineItems.publisherId, ctx.actor.accountId)))
    .orderBy(desc(lineItems.id))
    .limit(maxRows);
}

export type AudienceCampaign = Awaited<ReturnType<typeof listAudienceCampaigns>>[number];

/**
 * Returns what the audience earned the publisher in all campaigns that were ever approved on it, with each campaign's
 * share rounded down to the cent, and the number of campaigns that use it now.
 */
export async function getAudienceMetrics(ctx: Ctx<PublisherActor>, id: AudienceId) {
  const own = and(eq(versionAudiences.audienceId, id), eq(lineItems.publisherId, ctx.actor.accountId));
  const [[used], earned] = await Promise.all([
    ctx.db
      .select({ campaigns: sqlValue(z.number(), sql`count(distinct ${lineItems.id})::int`) })
      .from(versionAudiences)
      .innerJoin(lineItems, usesAudience)
      .where(own),
    listEarned(ctx, id),
  ]);
  return {
    usedIn: used?.campaigns ?? 0,
    impressions: earned.reduce((sum, row) => sum + Number(row.impressions), 0),
    earnedCents: earned.reduce<Cents>(
      (sum, row) => asCents(sum + commissionEarned(BigInt(row.spendMicros), row.rateBps)),
      asCents(0),
    ),
  };
}

/** Sums what the audience delivered by line item, from its months. */
function listEarned(ctx: Ctx<PublisherActor>, id: AudienceId) {
  return ctx.db
    .select({
      spendMicros: sqlValue(z.string(), sql`sum(${lineItemAudienceMonths.spendMicros})::text`),
      impressions: sqlValue(z.string(), sql`sum(${lineItemAudienceMonths.impressions})::text`),
      rateBps: lineItems.commissionRateBps,
    })
    .from(lineItemAudienceMonths)
    .innerJoin(lineItems, eq(lineItems.id, lineItemAudienceMonths.lineItemId))
    .where(
      and(
        eq(lineItemAudienceMonths.audienceId, id),
        eq(lineItems.publisherId, ctx.actor.accountId),
        // Restricts the months to the audience's campaigns, so that the primary key, which starts with
        // the line item, can be used.
        sql`${lineItems.campaignId} in (select ${versionAudiences.campaignId} from ${versionAudiences} where ${versionAudiences.audienceId} = ${id})`,
      ),
    )
    .groupBy(lineItems.id);
}

import { and, between, desc, eq, max, min, sql } from "drizzle-orm";
import { z } from "zod";
import { sqlValue } from "#db/query-rows.server.ts";
import { accountAudienceDays, deliveries, lineItems, versionAudiences } from "#db/schema/index.ts";
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

/** Sums the audience's facts by line item. */
async function listEarned(ctx: Ctx<PublisherActor>, id: AudienceId) {
  const { accountId, audienceId, day } = accountAudienceDays;
  const [days] = await ctx.db
    .select({ from: min(day), to: max(day) })
    .from(accountAudienceDays)
    .where(and(eq(accountId, ctx.actor.accountId), eq(audienceId, id)));
  if (!days?.from || !days.to) return [];
  return ctx.db
    .select({
      spendMicros: sqlValue(z.string(), sql`sum(${deliveries.spendMicros})::text`),
      impressions: sqlValue(z.string(), sql`sum(${deliveries.impressions})::text`),
      rateBps: lineItems.commissionRateBps,
    })
    .from(deliveries)
    .innerJoin(lineItems, eq(lineItems.id, deliveries.lineItemId))
    .where(
      and(
        eq(deliveries.audienceId, id),
        between(deliveries.day, days.from, days.to),
        eq(lineItems.publisherId, ctx.actor.accountId),
        // Restricts deliveries to the audience's campaigns, so that the primary key, which starts with
        // the line item, can be used.
        sql`${lineItems.campaignId} in (select ${versionAudiences.campaignId} from ${versionAudiences} where ${versionAudiences.audienceId} = ${id})`,
      ),
    )
    .groupBy(lineItems.id);
}

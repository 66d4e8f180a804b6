import { type SQL, sql } from "drizzle-orm";
import type { Ctx, TenantActor } from "../context.ts";
import type { CampaignId } from "../ids.ts";

/** The totals of a campaign's page, over rows aliased `fact`. */
export const counterSums = sql.raw(
  "sum(fact.impressions)::text as impressions, sum(fact.clicks)::text as clicks, sum(fact.conversions)::text as conversions, sum(fact.spend_micros)::text as spend_micros",
);

/** Selects a campaign's line items that the actor sees: all of its own campaign, or the publisher's one. */
export function ownLineItems({ actor }: Ctx<TenantActor>, id: CampaignId): SQL {
  return actor.kind === "publisher"
    ? sql`select id from line_items where campaign_id = ${id} and publisher_id = ${actor.accountId}`
    : sql`select item.id from line_items item join campaigns campaign on campaign.id = item.campaign_id
        where campaign.id = ${id} and campaign.advertiser_id = ${actor.accountId}`;
}

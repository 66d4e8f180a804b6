import { sql } from "drizzle-orm";
import type { CalendarDate } from "../calendar-date.ts";
import type { Channel } from "../campaigns/campaign.ts";
import type { Ctx } from "../context.ts";
import type { AccountId, AudienceId, CampaignId, LineItemId } from "../ids.ts";
import { arrayOf, type LockedCampaign } from "./lock-campaigns.server.ts";
import { dayKey, type Spent } from "./take-spend.ts";

/** What a fact is to say. Money in micros. */
export type FactChange = {
  campaignId: CampaignId;
  lineItemId: LineItemId;
  publisherId: AccountId;
  day: CalendarDate;
  audienceId: AudienceId;
  channel: Channel;
  source: string;
  impressions: number;
  clicks: number;
  conversions: number;
  reportedMicros: number;
  revenueMicros: number;
};

export type StoredFact = Pick<
  FactChange,
  "impressions" | "clicks" | "conversions" | "reportedMicros" | "revenueMicros"
> & {
  spendMicros: number;
  revision: number;
};

type FactKey = Pick<FactChange, "lineItemId" | "day" | "audienceId" | "channel" | "source">;

export function factKey({ lineItemId, day, audienceId, channel, source }: FactKey): string {
  return `${lineItemId} ${day} ${audienceId} ${channel} ${source}`;
}

/** The facts there are already of the line items' days that are to change. A day without a sum has none, and is not looked into. */
export async function listFacts(ctx: Ctx, changes: readonly FactChange[]): Promise<Map<string, StoredFact>> {
  const places = new Map(changes.map((change) => [`${change.lineItemId} ${change.day}`, change]));
  const rows = await ctx.db.execute<Record<keyof FactKey, string> & Record<keyof StoredFact, string>>(sql`
    select fact.line_item_id as "lineItemId", fact.day::text as day, fact.audience_id as "audienceId", fact.channel, fact.source,
      fact.revision::text as revision, fact.impressions::text as impressions, fact.clicks::text as clicks, fact.conversions::text as conversions,
      fact.spend_micros::text as "spendMicros", fact.revenue_micros::text as "revenueMicros", fact.reported_micros::text as "reportedMicros"
    from unnest(${arrayOf([...places.values()].map((place) => place.lineItemId))}::uuid[], ${arrayOf([...places.values()].map((place) => place.day))}::date[]) as place (line_item_id, day)
    join line_item_days known using (line_item_id, day) join deliveries fact using (line_item_id, day)`);
  return new Map(
    [...rows].map(({ lineItemId, day, audienceId, channel, source, ...figures }) => [
      [lineItemId, day, audienceId, channel, source].join(" "),
      {
        revision: Number(figures.revision),
        impressions: Number(figures.impressions),
        clicks: Number(figures.clicks),
        conversions: Number(figures.conversions),
        spendMicros: Number(figures.spendMicros),
        revenueMicros: Number(figures.revenueMicros),
        reportedMicros: Number(figures.reportedMicros),
      },
    ]),
  );
}

/** What the campaigns spent so far, in all and on the days; all line items together, since the budgets are the campaign's. */
export async function spentSoFar(
  ctx: Ctx,
  input: {
    campaigns: ReadonlyMap<CampaignId, LockedCampaign>;
    days: readonly { campaignId: CampaignId; day: CalendarDate }[];
  },
): Promise<Spent> {
  const places = [...new Map(input.days.map((place) => [dayKey(place), place])).values()];
  const rows = await ctx.db.execute<{ campaignId: CampaignId; day: CalendarDate; spent: string }>(sql`
    select place.campaign_id as "campaignId", place.day::text as day, sum(known.spend_micros)::text as spent
    from unnest(${arrayOf(places.map((place) => place.campaignId))}::uuid[], ${arrayOf(places.map((place) => place.day))}::date[]) as place (campaign_id, day)
    join line_items item using (campaign_id) join line_item_days known on known.line_item_id = item.id and known.day = place.day
    group by 1, 2`);
  return {
    all: new Map([...input.campaigns.values()].map((campaign) => [campaign.id, campaign.spentMicros])),
    byDay: new Map([...rows].map((row) => [dayKey(row), Number(row.spent)])),
  };
}

import { eq } from "drizzle-orm";
import { accounts } from "#db/schema/index.ts";
import { addDays, calendarDateOf } from "../calendar-date.ts";
import type { AdvertiserActor, Ctx } from "../context.ts";
import type { CampaignId } from "../ids.ts";
import { asCents } from "../money.ts";
import { campaignChangesSchema } from "./campaign-payloads.ts";
import { createCampaign } from "./create-campaign.server.ts";

/** The flight of the example: begins in a week, and its daily budget spends the total budget in its days. */
const flight = { beginsInDays: 7, days: 30 };
const dailyBudget = asCents(100_00);

/**
 * Creates a draft of the advertiser's own with example values. Audiences, creatives and products are left to choose:
 * they are real people and files, and no example has them.
 */
export async function createExampleCampaign(ctx: Ctx<AdvertiserActor>): Promise<{ id: CampaignId }> {
  const start = addDays(calendarDateOf(ctx.clock()), flight.beginsInDays);
  return createCampaign(ctx, {
    name: "Example campaign",
    objective: "conversions",
    ad_format: "display",
    landing_url: await readLandingUrl(ctx),
    geolocations: ["us", "ca"],
    frequency_cap_impressions: 3,
    frequency_cap_period: "day",
    channel_type: "dsp",
    channels: ["trade_desk", "amazon_dsp"],
    budget: asCents(dailyBudget * flight.days),
    daily_budget: dailyBudget,
    start_date: start,
    end_date: addDays(start, flight.days - 1),
  });
}

/** Returns the company's website, or null if it has none that an ad can link to. */
async function readLandingUrl(ctx: Ctx<AdvertiserActor>): Promise<string | null> {
  const [own] = await ctx.db
    .select({ website: accounts.website })
    .from(accounts)
    .where(eq(accounts.id, ctx.actor.accountId));
  return campaignChangesSchema.shape.landing_url.safeParse(own?.website).data ?? null;
}

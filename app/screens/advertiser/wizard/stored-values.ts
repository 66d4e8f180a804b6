import type { Pacing } from "#app/domain/campaigns/campaign.ts";
import type { CampaignContent } from "#app/domain/campaigns/campaign-content.ts";
import { type Cents, dollarsOf } from "#app/domain/money.ts";
import type { FormValues } from "#app/ui/form/form-values.ts";

type Stored = { name: string; pacing: Pacing; content: CampaignContent };

/** A stored campaign as its fields show it. */
export function storedValues({ name, pacing, content }: Stored): FormValues {
  return {
    name,
    objective: content.objective,
    ad_format: content.adFormat,
    landing_url: content.landingUrl,
    creative_ids: content.creativeIds,
    selected_products: content.productIds,
    selected_audiences: content.audienceIds,
    geolocations: content.geolocations,
    frequency_cap_impressions: content.frequencyCapImpressions,
    frequency_cap_period: content.frequencyCapPeriod,
    channel_type: content.channelType,
    channels: content.channels,
    budget: dollars(content.totalBudgetCents),
    daily_budget: dollars(content.dailyBudgetCents),
    start_date: content.startDate,
    end_date: content.endDate,
    pacing,
  };
}

/** `1200` or `1200.50` */
function dollars(cents: Cents | null): string {
  if (cents === null) return "";
  return cents % 100 === 0 ? String(dollarsOf(cents)) : dollarsOf(cents).toFixed(2);
}

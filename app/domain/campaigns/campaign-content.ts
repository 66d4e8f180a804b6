import type { CalendarDate } from "../calendar-date.ts";
import type { FieldErrors } from "../errors.ts";
import type { AudienceId, CreativeId, ProductId } from "../ids.ts";
import type { Cents } from "../money.ts";
import {
  type AdFormat,
  type Channel,
  type ChannelType,
  type FrequencyCapPeriod,
  frequencyCapLimits,
  type Geolocation,
  isChannelOf,
  type Objective,
} from "./campaign.ts";
import type { CampaignChanges } from "./campaign-payloads.ts";

/** What publishers decide: everything a version consists of. Pure. */
export type CampaignContent = {
  objective: Objective | null;
  adFormat: AdFormat | null;
  landingUrl: string | null;
  creativeIds: CreativeId[];
  /** Follows from the creatives: where the first of them is served, a picture before a film. */
  creativePreviewUrl: string | null;
  productIds: ProductId[];
  audienceIds: AudienceId[];
  geolocations: Geolocation[];
  frequencyCapImpressions: number;
  frequencyCapPeriod: FrequencyCapPeriod;
  channelType: ChannelType;
  channels: Channel[];
  totalBudgetCents: Cents | null;
  dailyBudgetCents: Cents | null;
  startDate: CalendarDate | null;
  endDate: CalendarDate | null;
};

export const emptyContent: CampaignContent = {
  objective: null,
  adFormat: null,
  landingUrl: null,
  creativeIds: [],
  creativePreviewUrl: null,
  productIds: [],
  audienceIds: [],
  geolocations: [],
  frequencyCapImpressions: frequencyCapLimits.defaultImpressions,
  frequencyCapPeriod: frequencyCapLimits.defaultPeriod,
  channelType: "dsp",
  channels: [],
  totalBudgetCents: null,
  dailyBudgetCents: null,
  startDate: null,
  endDate: null,
};

/**
 * The content after the changes: absent is unchanged, null is cleared. Saving another channel type drops the channels
 * of the former; without a creative there are no products. Errors are about the combination, under the wire's names.
 */
export function changeContent(
  from: CampaignContent,
  changes: CampaignChanges,
): { content: CampaignContent; errors: FieldErrors } {
  const errors: FieldErrors = {};
  const channelType = changes.channel_type ?? from.channelType;
  const asked = changes.channels ?? from.channels;
  const ofType = asked.filter((channel) => isChannelOf(channelType, channel));
  if (channelType === from.channelType && ofType.length < asked.length) {
    errors.channels = ["Choose channels of the chosen channel type only"];
  }
  const creativeIds = unique(changes.creative_ids ?? from.creativeIds);
  const hasCreative = creativeIds.length > 0;
  if (!hasCreative && changes.selected_products?.length) {
    errors.selected_products = ["Add a creative first; products can be chosen then"];
  }
  const content: CampaignContent = {
    objective: changed(changes.objective, from.objective),
    adFormat: changed(changes.ad_format, from.adFormat),
    landingUrl: changed(changes.landing_url, from.landingUrl),
    creativeIds,
    creativePreviewUrl: from.creativePreviewUrl,
    productIds: hasCreative ? unique(changes.selected_products ?? from.productIds) : [],
    audienceIds: unique(changes.selected_audiences ?? from.audienceIds),
    geolocations: unique(changes.geolocations ?? from.geolocations),
    frequencyCapImpressions:
      changed(changes.frequency_cap_impressions, from.frequencyCapImpressions) ?? frequencyCapLimits.defaultImpressions,
    frequencyCapPeriod:
      changed(changes.frequency_cap_period, from.frequencyCapPeriod) ?? frequencyCapLimits.defaultPeriod,
    channelType,
    channels: unique(ofType),
    totalBudgetCents: changed(changes.budget, from.totalBudgetCents),
    dailyBudgetCents: changed(changes.daily_budget, from.dailyBudgetCents),
    startDate: changed(changes.start_date, from.startDate),
    endDate: changed(changes.end_date, from.endDate),
  };
  return { content, errors };
}

function changed<T>(to: T | undefined, from: T): T {
  return to === undefined ? from : to;
}

function unique<T>(values: readonly T[]): T[] {
  return [...new Set(values)];
}

/** Not what follows from another part. */
const contentFields = (Object.keys(emptyContent).sort() as (keyof CampaignContent)[]).filter(
  (field) => field !== "creativePreviewUrl",
);

/** Which parts differ; the order of a list does not count. */
export function differingFields(one: CampaignContent, other: CampaignContent): (keyof CampaignContent)[] {
  return contentFields.filter((field) => fingerprint(one[field]) !== fingerprint(other[field]));
}

function fingerprint(value: CampaignContent[keyof CampaignContent]): string {
  return JSON.stringify(Array.isArray(value) ? [...value].sort() : value);
}

import { formatDate } from "#app/domain/calendar-date.ts";
import { adFormatLabels, channelLabels, channelTypeLabels, objectiveLabels } from "#app/domain/campaigns/campaign.ts";
import type { CampaignContent } from "#app/domain/campaigns/campaign-content.ts";
import { formatNumberOf } from "#app/ui/format.ts";
import { notSelected, wordsOfBudget, wordsOfLocations } from "./campaign-words.ts";

/** The name of each part of a campaign. */
export const contentLabels: Record<keyof CampaignContent, string> = {
  objective: "Objective",
  adFormat: "Ad format",
  landingUrl: "Landing page",
  creativeIds: "Creatives",
  creativePreviewUrl: "Creative",
  productIds: "Products",
  audienceIds: "Audiences",
  geolocations: "Countries",
  frequencyCapImpressions: "Frequency cap",
  frequencyCapPeriod: "Frequency cap period",
  channelType: "Channel type",
  channels: "Channels",
  totalBudgetCents: "Total budget",
  dailyBudgetCents: "Daily budget",
  startDate: "Start date",
  endDate: "End date",
};

const readings: { [Field in keyof CampaignContent]: (value: CampaignContent[Field]) => string } = {
  objective: (value) => (value ? objectiveLabels[value] : notSelected),
  adFormat: (value) => (value ? adFormatLabels[value] : notSelected),
  landingUrl: (value) => value ?? notSelected,
  creativeIds: (value) => (value.length > 0 ? formatNumberOf(value.length, "creative") : notSelected),
  creativePreviewUrl: (value) => value ?? notSelected,
  productIds: (value) => (value.length > 0 ? formatNumberOf(value.length, "product") : notSelected),
  audienceIds: (value) => (value.length > 0 ? formatNumberOf(value.length, "audience") : notSelected),
  geolocations: wordsOfLocations,
  frequencyCapImpressions: (value) => formatNumberOf(value, "impression"),
  frequencyCapPeriod: (value) => `per ${value}`,
  channelType: (value) => channelTypeLabels[value],
  channels: (value) => value.map((channel) => channelLabels[channel]).join(", ") || notSelected,
  totalBudgetCents: wordsOfBudget,
  dailyBudgetCents: wordsOfBudget,
  startDate: (value) => (value ? formatDate(value) : notSelected),
  endDate: (value) => (value ? formatDate(value) : notSelected),
};

/** How one part of a campaign reads; what is empty is "Not selected". */
export function wordsOfField<Field extends keyof CampaignContent>(field: Field, value: CampaignContent[Field]): string {
  return readings[field](value);
}

export function wordsOfName(name: string): string {
  return name || "Untitled Campaign";
}

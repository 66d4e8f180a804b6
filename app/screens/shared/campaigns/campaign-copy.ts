import { type CalendarDate, daysInclusive, formatFlight } from "#app/domain/calendar-date.ts";
import {
  type Channel,
  type ChannelType,
  channelLabels,
  channelTypeLabels,
  type FrequencyCapPeriod,
} from "#app/domain/campaigns/campaign.ts";
import { campaignFields } from "#app/domain/campaigns/campaign-fields.ts";
import type { Cents } from "#app/domain/money.ts";
import { pluralize } from "#app/ui/format.ts";

/** How the parts of a campaign read on screens, beside what their rows say (campaign-fields.ts). */
export function describeBudget(cents: Cents | null): string {
  return campaignFields.budget.show(cents);
}

/** Formats `3 impressions per day`. */
export function describeFrequencyCap(impressions: number, period: FrequencyCapPeriod): string {
  return `${pluralize(impressions, "impression")} per ${period}`;
}

/** Formats `DSP · The Trade Desk, DV360`. */
export function describeChannels(type: ChannelType, channels: readonly Channel[]): string {
  const names = channels.map((channel) => channelLabels[channel]).join(", ");
  return names === "" ? channelTypeLabels[type] : `${channelTypeLabels[type]} · ${names}`;
}

/** Formats `Nov 27 – Dec 24, 2026 (28 days, UTC)`. */
export function describeFlight(start: CalendarDate | null, end: CalendarDate | null): string {
  const flight = formatFlight(start, end);
  return start && end ? `${flight} (${pluralize(daysInclusive(start, end), "day")}, UTC)` : flight;
}

/** Turns a relative time into a part of a sentence: `3 hours ago`, `yesterday`. */
export function relativeTimeInSentence(relative: string): string {
  return relative.replace(/^(Just|Yesterday)/, (word) => word.toLowerCase());
}

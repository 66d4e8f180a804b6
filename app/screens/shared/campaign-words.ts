import { type CalendarDate, daysInclusive, formatFlight } from "#app/domain/calendar-date.ts";
import {
  type Channel,
  type ChannelType,
  channelLabels,
  channelTypeLabels,
  type FrequencyCapPeriod,
  type Geolocation,
  geolocationLabels,
} from "#app/domain/campaigns/campaign.ts";
import { type Cents, formatCents } from "#app/domain/money.ts";
import { formatAgo, formatNumberOf } from "#app/ui/format.ts";

/** How the parts of a campaign read on screens. */
export const notSelected = "Not selected";

export function wordsOfBudget(cents: Cents | null): string {
  return cents === null ? notSelected : formatCents(cents);
}

export function wordsOfLocations(geolocations: readonly Geolocation[]): string {
  if (geolocations.length === 0) return "All locations";
  return geolocations.map((geolocation) => geolocationLabels[geolocation]).join(", ");
}

/** `3 impressions per day` */
export function wordsOfCap(impressions: number, period: FrequencyCapPeriod): string {
  return `${formatNumberOf(impressions, "impression")} per ${period}`;
}

/** `DSP · The Trade Desk, DV360` */
export function wordsOfChannels(type: ChannelType, channels: readonly Channel[]): string {
  const names = channels.map((channel) => channelLabels[channel]).join(", ");
  return names === "" ? channelTypeLabels[type] : `${channelTypeLabels[type]} · ${names}`;
}

/** `Nov 27 – Dec 24, 2026 (28 days)` */
export function wordsOfDuration(start: CalendarDate | null, end: CalendarDate | null): string {
  const flight = formatFlight(start, end);
  return start && end ? `${flight} (${formatNumberOf(daysInclusive(start, end), "day")})` : flight;
}

/** `3 hours ago` inside a sentence: `sent yesterday`. */
export function wordsOfAgo(at: Date, now: Date): string {
  return formatAgo(at, now).replace(/^(Just|Yesterday)/, (word) => word.toLowerCase());
}

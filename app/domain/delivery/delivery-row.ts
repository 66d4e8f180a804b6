import { type CalendarDate, parseCalendarDate } from "../calendar-date.ts";
import { type Channel, channels } from "../campaigns/campaign.ts";
import { type AudienceId, type CampaignId, parseId } from "../ids.ts";
import { type CreativeFigures, parseCreatives } from "./delivery-creatives.ts";
import { type DeliveryFigures, figureFields, parseCount, parseFigures } from "./delivery-figures.ts";

/** The reasons for rejecting a row of a report. The other rows are accepted. */
export const rowRejections = {
  invalid_row: "Send each row as an object, or as a line with at most one value for each column",
  unknown_line_item: "Unknown campaign",
  unknown_audience: "Unknown audience",
  foreign_audience: "The audience is not part of this campaign",
  not_approved: "The campaign is a draft or was never approved",
  unknown_channel: "Unknown channel",
  channel_not_chosen: "The campaign does not use this channel",
  invalid_date: "Use the date format YYYY-MM-DD",
  future_day: "The date is in the future",
  outside_flight: "The date is outside the campaign's flight",
  not_running: "The line item was not running on this date",
  invalid_number: "Use whole numbers for counts, and US dollars with up to six decimals for spend and revenue",
  negative: "Numbers must be 0 or more",
  too_large: "The number exceeds the daily maximum",
  clicks_over_impressions: "Clicks exceed impressions",
  invalid_reach: "Reach must be a whole number from 1 to the number of impressions, or 0 when there are no impressions",
  invalid_creatives: "Send creatives as an array; list each ID once, with its metrics",
  creatives_over_row: "The creatives' totals exceed the row's totals",
  creative_not_chosen: "The campaign does not use this creative",
  other_currency: "Amounts must be in US dollars",
  invalid_source: "Source names can have up to 64 letters, digits, spaces and . _ - : /",
  duplicate_row: "Duplicate row: same campaign, audience, channel, date and source as an earlier row",
} as const;
export type RowRejection = keyof typeof rowRejections;

/**
 * A source's report of what a campaign delivered to an audience on a channel on a day. Money in micros. `reach` is the
 * number of people and `creatives` the figures per creative, where the source reports them.
 */
export type DeliveryRow = DeliveryFigures & {
  campaignId: CampaignId;
  audienceId: AudienceId;
  channel: Channel;
  day: CalendarDate;
  source: string;
  reach: number | null;
  creatives: readonly CreativeFigures[] | null;
};

/** The required fields of a row in the API, in the order of a file's columns. */
export const requiredRowFields = ["campaign_id", "audience_id", "channel", "date", ...figureFields] as const;
/** The columns that a file may have. */
export const rowColumns = [...requiredRowFields, "reach", "source", "currency"] as const;
export type RowColumn = (typeof rowColumns)[number];
/** `creatives` is a list, so a file cannot contain it. */
export type RowField = RowColumn | "creatives";

const channelOf = new Map<unknown, Channel>(channels.map((channel) => [channel, channel]));

/** Returns whether the text is a valid source name. */
export function isSource(text: unknown): text is string {
  return typeof text === "string" && /^[A-Za-z0-9](?:[A-Za-z0-9 _.:/-]{0,62}[A-Za-z0-9])?$/.test(text);
}

/**
 * Parses the rows of a request; numbers may be text, as in a CSV file. `source` applies to rows without their own.
 * Returns the rejection code for an invalid row. Pure.
 */
export function parseDeliveryRows(values: readonly unknown[], source: string | null): (DeliveryRow | RowRejection)[] {
  // IDs, days and sources repeat from row to row, and parsing them is the most expensive part of a row.
  const campaignIdOf = memoized((text) => parseId<CampaignId>(text));
  const audienceIdOf = memoized((text) => parseId<AudienceId>(text));
  const dayOf = memoized(parseCalendarDate);
  return values.map((value) => {
    if (typeof value !== "object" || value === null || Array.isArray(value)) return "invalid_row";
    const of = (field: RowField): unknown => (Object.hasOwn(value, field) ? Reflect.get(value, field) : undefined);
    const campaignId = campaignIdOf(of("campaign_id"));
    const audienceId = audienceIdOf(of("audience_id"));
    if (!campaignId) return "unknown_line_item";
    if (!audienceId) return "unknown_audience";
    const channel = channelOf.get(of("channel"));
    if (!channel) return "unknown_channel";
    const day = dayOf(of("date"));
    if (!day) return "invalid_date";
    const rowSource = of("source") || source;
    if (!isSource(rowSource)) return "invalid_source";
    if (!isDollar(of("currency"))) return "other_currency";
    const figures = parseFigures(of);
    if (typeof figures === "string") return figures;
    const reach = readReach(of("reach"), figures);
    if (typeof reach === "string") return reach;
    const creatives = parseCreatives(of("creatives"), figures);
    if (typeof creatives === "string") return creatives;
    return { campaignId, audienceId, channel, day, source: rowSource, ...figures, reach, creatives };
  });
}

/** Parses each distinct text once. Values that are not text are undefined. */
function memoized<T>(read: (text: string) => T | undefined): (value: unknown) => T | undefined {
  const known = new Map<unknown, T | undefined>();
  return (value) => {
    if (typeof value !== "string" || value.length > 100) return undefined;
    if (!known.has(value)) known.set(value, read(value.trim()));
    return known.get(value);
  };
}

function isDollar(currency: unknown): boolean {
  return currency === undefined || currency === null || currency === "" || currency === "USD" || currency === "usd";
}

function readReach(value: unknown, { impressions }: DeliveryFigures): number | null | RowRejection {
  if (value === undefined || value === null || value === "") return null;
  const reach = parseCount(value);
  if (reach === undefined) return "invalid_number";
  if (reach < 0) return "negative";
  return reach > impressions || (reach === 0 && impressions > 0) ? "invalid_reach" : reach;
}

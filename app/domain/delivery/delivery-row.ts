import { type CalendarDate, parseCalendarDate } from "../calendar-date.ts";
import { type Channel, channels } from "../campaigns/campaign.ts";
import { type AudienceId, type CampaignId, parseId } from "../ids.ts";
import { type CreativePart, readCreatives } from "./delivery-creatives.ts";
import { type DeliveryFigures, figureFields, readCount, readFigures } from "./delivery-figures.ts";

/** Why a row of a report is not taken. The others of the report are. */
export const rowRefusals = {
  invalid_row: "This is not a row",
  unknown_line_item: "There is no such campaign",
  foreign_audience: "This audience is not part of this campaign",
  not_approved: "This campaign is a draft, or its publisher never approved it",
  unknown_channel: "There is no such channel",
  channel_not_chosen: "The campaign did not run on this channel",
  invalid_date: "Give the day as YYYY-MM-DD",
  future_day: "This day is still to come",
  outside_flight: "This day lies outside the flight",
  not_running: "The line item did not run on this day",
  invalid_number: "Give counts as whole numbers, spend and revenue in dollars with at most six decimals",
  negative: "Numbers are 0 or more",
  too_large: "This number is larger than a day can bring",
  clicks_over_impressions: "There are more clicks than impressions",
  invalid_reach: "Reach is a whole number of people, no more than the impressions and none only without them",
  invalid_creatives: "Give the creatives as a list, each with its id and its figures, and each once",
  creatives_over_row: "The creatives together have more than the row",
  creative_not_chosen: "The campaign did not run with this creative",
  other_currency: "Amounts are in US dollars",
  invalid_source: "Name the source with up to 64 letters, digits, spaces and . _ - : /",
  duplicate_row: "An earlier row of this report says the same campaign, audience, channel, day and source",
} as const;
export type RowRefusal = keyof typeof rowRefusals;

/**
 * What one source says that a campaign delivered to an audience on a channel on a day. Money in micros; `reach` is how many
 * people it was, and `creatives` what each did of it, where the source says so.
 */
export type DeliveryRow = DeliveryFigures & {
  campaignId: CampaignId;
  audienceId: AudienceId;
  channel: Channel;
  day: CalendarDate;
  source: string;
  reach: number | null;
  creatives: readonly CreativePart[] | null;
};

/** What a row says on the wire, in the order of a file's columns. */
export const requiredRowFields = ["campaign_id", "audience_id", "channel", "date", ...figureFields] as const;
/** Those that a file may have as columns. */
export const rowColumns = [...requiredRowFields, "reach", "source", "currency"] as const;
export type RowColumn = (typeof rowColumns)[number];
/** A list has no place in a file. */
export type RowField = RowColumn | "creatives";

const channelOf = new Map<unknown, Channel>(channels.map((channel) => [channel, channel]));

/** Whether it can name a source. */
export function isSource(text: unknown): text is string {
  return typeof text === "string" && /^[A-Za-z0-9](?:[A-Za-z0-9 _.:/-]{0,62}[A-Za-z0-9])?$/.test(text);
}

/**
 * Reads the rows as they stand on the wire, numbers as numbers or text (a CSV has only text); the report's source stands in
 * where a row has none. Gives the reason for what cannot be a row. Pure.
 */
export function readDeliveryRows(values: readonly unknown[], source: string | null): (DeliveryRow | RowRefusal)[] {
  // Ids, days and sources repeat from row to row, and reading them is the dearest part of a row.
  const campaignIdOf = remembered((text) => parseId<CampaignId>(text));
  const audienceIdOf = remembered((text) => parseId<AudienceId>(text));
  const dayOf = remembered(parseCalendarDate);
  return values.map((value) => {
    if (typeof value !== "object" || value === null || Array.isArray(value)) return "invalid_row";
    const of = (field: RowField): unknown => (Object.hasOwn(value, field) ? Reflect.get(value, field) : undefined);
    const campaignId = campaignIdOf(of("campaign_id"));
    const audienceId = audienceIdOf(of("audience_id"));
    if (!campaignId || !audienceId) return "unknown_line_item";
    const channel = channelOf.get(of("channel"));
    if (!channel) return "unknown_channel";
    const day = dayOf(of("date"));
    if (!day) return "invalid_date";
    const named = of("source") || source;
    if (!isSource(named)) return "invalid_source";
    if (!isDollar(of("currency"))) return "other_currency";
    const figures = readFigures(of);
    if (typeof figures === "string") return figures;
    const reach = readReach(of("reach"), figures);
    if (typeof reach === "string") return reach;
    const creatives = readCreatives(of("creatives"), figures);
    if (typeof creatives === "string") return creatives;
    return { campaignId, audienceId, channel, day, source: named, ...figures, reach, creatives };
  });
}

/** Reads each text once. What is no text cannot be read. */
function remembered<T>(read: (text: string) => T | undefined): (value: unknown) => T | undefined {
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

function readReach(value: unknown, { impressions }: DeliveryFigures): number | null | RowRefusal {
  if (value === undefined || value === null || value === "") return null;
  const reach = readCount(value);
  if (reach === undefined) return "invalid_number";
  if (reach < 0) return "negative";
  return reach > impressions || (reach === 0 && impressions > 0) ? "invalid_reach" : reach;
}

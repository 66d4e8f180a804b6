import type { AudienceId, CreativeId, ProductId } from "../ids.ts";
import {
  adFormatLabels,
  channelLabels,
  channelTypeLabels,
  displayCampaignName,
  type FrequencyCapPeriod,
  frequencyCapLimits,
  geolocationLabels,
  notSelected,
  objectiveLabels,
  pacingLabels,
} from "./campaign.ts";
import {
  type CampaignStep,
  choice,
  choices,
  type Definition,
  date,
  formatCount,
  type Kind,
  money,
  plain,
  references,
  setting,
  text,
} from "./campaign-field-kinds.ts";

/**
 * The fields of a campaign, one row each, named as in the API and in the order of the wizard. The payloads, the steps,
 * the stored content, the form values, the history, the cards and the JSON derive from these rows. The schemas are in
 * campaign-field-schemas.ts, because the browser does not need them. Pure.
 */

export const campaignFields = {
  name: plain({ key: "name", step: 1, reviewed: false, label: "Campaign name", historyLabel: "Name" }, "", {
    show: displayCampaignName,
    showStored: (name) => displayCampaignName(String(name ?? "")),
  }),
  objective: choice({ key: "objective", step: 1, reviewed: true, label: "Objective" }, objectiveLabels),
  ad_format: choice({ key: "adFormat", step: 2, reviewed: true, label: "Ad format" }, adFormatLabels),
  landing_url: text({ key: "landingUrl", step: 2, reviewed: true, label: "Landing page" }),
  creative_ids: references(
    { key: "creativeIds", step: 2, reviewed: true, label: "Creatives" },
    emptyList<CreativeId>(),
    "creative",
  ),
  /** Computed from the creatives: the URL of the first one, an image before a video. */
  creative_preview_url: text({ key: "creativePreviewUrl", step: null, reviewed: true, label: "Creative" }),
  selected_products: references(
    { key: "productIds", step: 2, reviewed: true, label: "Products" },
    emptyList<ProductId>(),
    "product",
  ),
  selected_audiences: references(
    { key: "audienceIds", step: 3, reviewed: true, label: "Audiences" },
    emptyList<AudienceId>(),
    "audience",
  ),
  geolocations: choices(
    { key: "geolocations", step: 3, reviewed: true, label: "Countries", publisherName: "geolocation_targeting" },
    geolocationLabels,
    "All locations",
  ),
  frequency_cap_impressions: plain(
    { key: "frequencyCapImpressions", step: 3, reviewed: true, label: "Frequency cap" },
    asNumber(frequencyCapLimits.defaultImpressions),
    { show: (impressions: number) => formatCount(impressions, "impression") },
  ),
  frequency_cap_period: plain(
    { key: "frequencyCapPeriod", step: 3, reviewed: true, label: "Frequency cap period" },
    asPeriod(frequencyCapLimits.defaultPeriod),
    { show: (period: FrequencyCapPeriod) => `per ${period}` },
  ),
  channel_type: setting({ key: "channelType", step: 4, reviewed: true, label: "Channel type" }, channelTypeLabels, {
    empty: "dsp",
    cleared: undefined,
  }),
  channels: choices({ key: "channels", step: 4, reviewed: true, label: "Channels" }, channelLabels, notSelected),
  budget: money({
    key: "totalBudgetCents",
    step: 5,
    reviewed: true,
    label: "Total budget",
    publisherName: "total_budget",
  }),
  daily_budget: money({ key: "dailyBudgetCents", step: 5, reviewed: true, label: "Daily budget" }),
  start_date: date({ key: "startDate", step: 5, reviewed: true, label: "Start date" }),
  end_date: date({ key: "endDate", step: 5, reviewed: true, label: "End date" }),
  pacing: setting({ key: "pacing", step: 5, reviewed: false, label: "Pacing" }, pacingLabels, {
    empty: "even",
    cleared: null,
  }),
};

type Rows = typeof campaignFields;
type NameWhere<Condition> = { [Name in keyof Rows]: Rows[Name] extends Condition ? Name : never }[keyof Rows];

/** Every field of a response. */
export type ShownField = keyof Rows;
/** The fields of `POST /api/campaigns` and `PATCH /api/campaigns/{id}`. */
export type CampaignField = NameWhere<{ step: CampaignStep }>;
export type FieldOfStep<Step extends CampaignStep> = NameWhere<{ step: Step }>;
type ReviewedField = NameWhere<{ reviewed: true }>;
/** The fields that no publisher reviews: they change at once, without a new version. */
type UnreviewedField = NameWhere<{ reviewed: false }>;
export type FieldValue<Name extends ShownField> = Rows[Name]["empty"];
export type FieldJson<Name extends ShownField> = ReturnType<Rows[Name]["toJson"]>;

export type PublisherName<Name extends ShownField> = Rows[Name] extends { publisherName: infer Other extends string }
  ? Other
  : Name;

/** What publishers review: everything that a version consists of. */
export type CampaignContent = { [Name in ReviewedField as Rows[Name]["key"]]: FieldValue<Name> };
export type UnreviewedValues = { [Name in UnreviewedField as Rows[Name]["key"]]: FieldValue<Name> };
export type CampaignValues = CampaignContent & UnreviewedValues;

/** A row whose type is known only by its name. */
export type CampaignFieldRow = Definition & Kind<unknown, unknown> & { name: ShownField };
export const campaignFieldRows: readonly CampaignFieldRow[] = keysOf(campaignFields).map((name) => ({
  ...campaignFields[name],
  name,
}));

const reviewedRows = campaignFieldRows.filter(({ reviewed }) => reviewed);
const unreviewedRows = campaignFieldRows.filter(({ reviewed }) => !reviewed);

/** Returns the names of an object's own properties. */
export function keysOf<T extends object>(object: T): (keyof T & string)[];
export function keysOf(object: object): string[] {
  return Object.keys(object);
}

/** Builds the reviewed content from the value of each reviewed field. */
export function mapContent(readValue: (row: CampaignFieldRow) => unknown): CampaignContent;
export function mapContent(readValue: (row: CampaignFieldRow) => unknown): unknown {
  return valuesByKey(reviewedRows, readValue);
}

/** Builds the unreviewed values from the value of each unreviewed field. */
export function mapUnreviewed(readValue: (row: CampaignFieldRow) => unknown): UnreviewedValues;
export function mapUnreviewed(readValue: (row: CampaignFieldRow) => unknown): unknown {
  return valuesByKey(unreviewedRows, readValue);
}

function valuesByKey(rows: readonly CampaignFieldRow[], readValue: (row: CampaignFieldRow) => unknown): unknown {
  return Object.fromEntries(rows.map((row) => [row.key, readValue(row)]));
}

/** Returns the row whose values are stored under the key. */
export function findRowByKey(key: string): CampaignFieldRow | undefined {
  return campaignFieldRows.find((row) => row.key === key);
}

function emptyList<Id>(): Id[] {
  return [];
}

function asNumber(value: number): number {
  return value;
}

function asPeriod(value: FrequencyCapPeriod): FrequencyCapPeriod {
  return value;
}

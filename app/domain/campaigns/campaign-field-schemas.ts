import { z } from "zod";
import { calendarDateSchema } from "../calendar-date.ts";
import { creativeLimits } from "../creatives/creative.ts";
import { fieldRules } from "../field-rules.ts";
import { type AudienceId, type CreativeId, idSchema, type ProductId } from "../ids.ts";
import { dollarsSchema } from "../money.ts";
import { patchText } from "../text.ts";
import { hasCredentials, urlCredentialsMessage } from "../url-credentials.ts";
import { wireFormats } from "../wire-formats.ts";
import {
  adFormats,
  channels,
  channelTypes,
  frequencyCapLimits,
  frequencyCapPeriods,
  geolocations,
  objectives,
  pacings,
} from "./campaign.ts";
import type { CampaignStep } from "./campaign-field-kinds.ts";
import {
  type CampaignField,
  campaignFieldRows,
  campaignFields,
  type FieldOfStep,
  type FieldValue,
  keysOf,
  type PublisherName,
  type ShownField,
} from "./campaign-fields.ts";

/**
 * The schemas of a campaign's fields, one row each. `payload` is what comes in: for a change, absent means unchanged
 * and null means cleared, so these schemas have no defaults. `json` is what goes out; `publisherJson` where publishers
 * read it otherwise, null where they do not get it.
 */
type SchemaRow<Name extends ShownField> = {
  json: z.ZodType;
  publisherJson?: z.ZodType | null;
} & (Name extends CampaignField ? { payload: z.ZodType<FieldValue<Name> | null | undefined> } : { payload?: never });

// Who tries the product out may have the pages on the same machine.
const domainOrThisMachine = new RegExp(`${z.regexes.domain.source}|^localhost$|^127\\.0\\.0\\.1$`);
const noWebAddress = "Enter a URL, such as https://www.example.com/summer";
const webAddress = patchText({ max: 2_048 })
  .pipe(
    z
      .url({ protocol: /^https?$/, hostname: domainOrThisMachine, error: noWebAddress, abort: true })
      .refine((url) => !hasCredentials(new URL(url)), urlCredentialsMessage)
      .nullish(),
  )
  .register(fieldRules, { patterns: [[/^\s*$|^\s*https?:/, noWebAddress]] });

const frequencyCapImpressions = z.preprocess(
  (value) => (typeof value === "string" && /^\s*\d{1,4}\s*$/.test(value) ? Number(value) : value),
  z
    .int("Enter a whole number from 1 to 10")
    .min(frequencyCapLimits.min, "Enter a whole number from 1 to 10")
    .max(frequencyCapLimits.max, "Enter a whole number from 1 to 10"),
);

/** A list of a payload with at most so many items. */
export function listOfAtMost<T extends z.ZodType>(item: T, max: number) {
  return z.array(item, "Send an array").max(max, `Choose up to ${max}`);
}

const campaignFieldSchemas = {
  name: { payload: patchText({ max: 120 }), json: z.string() },
  objective: {
    payload: z.enum(objectives, "Choose an objective").nullable().optional(),
    json: z.enum(objectives).nullable(),
  },
  ad_format: {
    payload: z.enum(adFormats, "Choose an ad format").nullable().optional(),
    json: z.enum(adFormats).nullable(),
  },
  landing_url: { payload: webAddress, json: z.string().nullable() },
  creative_ids: {
    payload: listOfAtMost(idSchema<CreativeId>(), creativeLimits.perCampaign).nullable().optional(),
    json: z.array(wireFormats.id),
  },
  creative_preview_url: { json: z.string().nullable() },
  selected_products: {
    payload: listOfAtMost(idSchema<ProductId>(), 200).nullable().optional(),
    json: z.array(wireFormats.id),
    publisherJson: null,
  },
  selected_audiences: {
    payload: listOfAtMost(idSchema<AudienceId>(), 100).nullable().optional(),
    json: z.array(wireFormats.id),
    publisherJson: z.array(wireFormats.id).describe("The caller's audiences only"),
  },
  geolocations: {
    payload: listOfAtMost(z.enum(geolocations, "Choose countries from the list"), geolocations.length)
      .nullable()
      .optional(),
    json: z.array(z.enum(geolocations)),
    publisherJson: z.array(z.enum(geolocations)).describe("Empty means all locations"),
  },
  frequency_cap_impressions: { payload: frequencyCapImpressions.nullable().optional(), json: wireFormats.count },
  frequency_cap_period: {
    payload: z.enum(frequencyCapPeriods, "Choose a period").nullable().optional(),
    json: z.enum(frequencyCapPeriods),
  },
  channel_type: {
    payload: z.enum(channelTypes, "Choose a channel type").nullable().optional(),
    json: z.enum(channelTypes),
  },
  channels: {
    payload: listOfAtMost(z.enum(channels, "Choose channels from the list"), channels.length).nullable().optional(),
    json: z.array(z.enum(channels)),
  },
  budget: {
    payload: dollarsSchema().nullable().optional(),
    json: wireFormats.dollars.nullable(),
    publisherJson: wireFormats.dollars.nullable().describe("The campaign's total budget"),
  },
  daily_budget: { payload: dollarsSchema().nullable().optional(), json: wireFormats.dollars.nullable() },
  start_date: { payload: calendarDateSchema.nullable().optional(), json: wireFormats.date.nullable() },
  end_date: { payload: calendarDateSchema.nullable().optional(), json: wireFormats.date.nullable() },
  pacing: {
    payload: z.enum(pacings, "Choose a pacing option").nullable().optional(),
    json: z.enum(pacings).describe("How the budget is spread over the flight. Not part of the publisher's review"),
    publisherJson: z
      .enum(pacings)
      .describe("How the budget is spread over the flight. Changing it does not create a new version"),
  },
} as const satisfies { [Name in ShownField]: SchemaRow<Name> };

type Schemas = typeof campaignFieldSchemas;
type PayloadOf<Row> = Row extends { payload: infer Schema } ? Schema : never;

/** The payload of every field, or of one step's. */
export function payloadShape(): { [Name in CampaignField]: PayloadOf<Schemas[Name]> };
export function payloadShape<Step extends CampaignStep>(
  step: Step,
): { [Name in FieldOfStep<Step>]: PayloadOf<Schemas[Name]> };
export function payloadShape(step?: CampaignStep): unknown {
  const names = keysOf(campaignFields).filter((name) => {
    const own = campaignFields[name].step;
    return own !== null && (step === undefined || own === step);
  });
  return Object.fromEntries(names.map((name) => [name, Reflect.get(campaignFieldSchemas[name], "payload")]));
}

/** The answer's fields as the advertiser reads them. */
export function advertiserJsonShape(): { [Name in ShownField]: Schemas[Name]["json"] };
export function advertiserJsonShape(): unknown {
  return Object.fromEntries(Object.entries(campaignFieldSchemas).map(([name, { json }]) => [name, json]));
}

type JsonForPublishers<Row> = Row extends { publisherJson: infer Schema }
  ? Schema
  : Row extends { json: infer Schema }
    ? Schema
    : never;

/** The fields that publishers read. */
export type PublisherField = {
  [Name in ShownField]: Schemas[Name] extends { publisherJson: null } ? never : Name;
}[ShownField];

/** The answer's fields as publishers read them, under their names. */
export function publisherJsonShape(): {
  [Name in PublisherField as PublisherName<Name>]: JsonForPublishers<Schemas[Name]>;
};
export function publisherJsonShape(): unknown {
  return Object.fromEntries(
    campaignFieldRows.flatMap(({ name, publisherName = name }) => {
      const row: SchemaRow<"creative_preview_url"> | SchemaRow<CampaignField> = campaignFieldSchemas[name];
      return row.publisherJson === null ? [] : [[publisherName, row.publisherJson ?? row.json]];
    }),
  );
}

import { z } from "zod";
import { calendarDateSchema } from "../calendar-date.ts";
import { creativeLimits } from "../creatives/creative.ts";
import { fieldRules } from "../field-rules.ts";
import { type AccountId, type AudienceId, type CampaignId, type CreativeId, idSchema, type ProductId } from "../ids.ts";
import { dollarsSchema } from "../money.ts";
import { commissionRateSchema } from "../rate.ts";
import { changedText } from "../text.ts";
import {
  adFormats,
  channels,
  channelTypes,
  frequencyCapLimits,
  frequencyCapPeriods,
  geolocations,
  objectives,
  pacings,
  rejectionReasons,
} from "./campaign.ts";

/**
 * What comes in about campaigns, named as on the wire. For a change, absent means unchanged and null means cleared, so
 * these schemas have no defaults; a step of the wizard owns exactly its step's fields.
 */

// Who tries the product out may have the pages on the same machine.
const domainOrThisMachine = new RegExp(`${z.regexes.domain.source}|^localhost$|^127\\.0\\.0\\.1$`);
const noWebAddress = "Enter a web address that begins with https://";
const webAddress = changedText({ max: 2_048 })
  .pipe(z.url({ protocol: /^https?$/, hostname: domainOrThisMachine, error: noWebAddress }).nullish())
  .register(fieldRules, { patterns: [[/^\s*$|^\s*https?:/, noWebAddress]] });

const name = changedText({ max: 120 });
const frequencyCapImpressions = z.preprocess(
  (value) => (typeof value === "string" && /^\s*\d{1,4}\s*$/.test(value) ? Number(value) : value),
  z
    .int("Enter a whole number from 1 to 10")
    .min(frequencyCapLimits.min, "Enter a whole number from 1 to 10")
    .max(frequencyCapLimits.max, "Enter a whole number from 1 to 10"),
);

function manyOf<T extends z.ZodType>(item: T, most: number) {
  return z.array(item).max(most, `Choose at most ${most}`);
}

export const campaignStepSchemas = {
  1: z.object({ name, objective: z.enum(objectives, "Choose an objective").nullable().optional() }),
  2: z.object({
    ad_format: z.enum(adFormats, "Choose an ad format").nullable().optional(),
    landing_url: webAddress,
    creative_ids: manyOf(idSchema<CreativeId>(), creativeLimits.chosen).optional(),
    selected_products: manyOf(idSchema<ProductId>(), 200).optional(),
  }),
  3: z.object({
    selected_audiences: manyOf(idSchema<AudienceId>(), 100).optional(),
    geolocations: manyOf(z.enum(geolocations, "Unknown country"), geolocations.length).optional(),
    frequency_cap_impressions: frequencyCapImpressions.nullable().optional(),
    frequency_cap_period: z.enum(frequencyCapPeriods, "Choose a period").nullable().optional(),
  }),
  4: z.object({
    channel_type: z.enum(channelTypes, "Choose a channel type").optional(),
    channels: manyOf(z.enum(channels, "Unknown channel"), channels.length).optional(),
  }),
  5: z.object({
    budget: dollarsSchema().nullable().optional(),
    daily_budget: dollarsSchema().nullable().optional(),
    start_date: calendarDateSchema.nullable().optional(),
    end_date: calendarDateSchema.nullable().optional(),
    pacing: z.enum(pacings, "Choose a pacing").nullable().optional(),
  }),
} as const;

/** Any of a campaign's fields: `POST /api/campaigns` and `PATCH /api/campaigns/{id}`. */
export const campaignChangesSchema = z.object({
  ...campaignStepSchemas[1].shape,
  ...campaignStepSchemas[2].shape,
  ...campaignStepSchemas[3].shape,
  ...campaignStepSchemas[4].shape,
  ...campaignStepSchemas[5].shape,
});
export type CampaignChanges = z.output<typeof campaignChangesSchema>;
export type CampaignField = keyof CampaignChanges;

/** `POST /api/retailer/campaigns`: a publisher creates a campaign for an advertiser. */
export const managedCampaignSchema = campaignChangesSchema.extend({
  advertiser_id: idSchema<AccountId>(),
  commission_rate: commissionRateSchema.nullable().optional(),
});
export type ManagedCampaign = z.output<typeof managedCampaignSchema>;

/** `POST /api/campaigns/{id}/approve`. `version` is what the reviewer saw; screens always send it. */
export const reviewSchema = z.object({
  action: z.enum(["approve", "reject"], "Choose approve or reject"),
  notes: changedText({ max: 2_000, multiline: true }),
  version: z
    .preprocess(
      (value) => (typeof value === "string" && /^\d{1,9}$/.test(value) ? Number(value) : value),
      z.int("Unknown version").positive("Unknown version").max(2_147_483_647, "Unknown version").nullable().optional(),
    )
    .optional(),
  reasons: manyOf(z.enum(rejectionReasons, "Unknown reason"), rejectionReasons.length).optional(),
});
export type Review = z.output<typeof reviewSchema>;

export const campaignIdSchema = idSchema<CampaignId>();

import { z } from "zod";
import { type AccountId, type CampaignId, idSchema } from "../ids.ts";
import { commissionRateSchema } from "../rate.ts";
import { patchText } from "../text.ts";
import { rejectionReasons } from "./campaign.ts";
import type { CampaignStep } from "./campaign-field-kinds.ts";
import { listOfAtMost, payloadShape } from "./campaign-field-schemas.ts";

/**
 * What comes in about campaigns, named as on the wire. For a change, absent means unchanged and null means cleared, so
 * these schemas have no defaults; a step of the wizard owns exactly its step's fields.
 */

export const campaignStepSchemas = {
  1: z.object(payloadShape(1)),
  2: z.object(payloadShape(2)),
  3: z.object(payloadShape(3)),
  4: z.object(payloadShape(4)),
  5: z.object(payloadShape(5)),
} as const satisfies Record<CampaignStep, z.ZodType>;

/** Any of a campaign's fields: `POST /api/campaigns` and `PATCH /api/campaigns/{id}`. */
export const campaignChangesSchema = z.object(payloadShape());
export type CampaignChanges = z.output<typeof campaignChangesSchema>;

/** `POST /api/retailer/campaigns`: a publisher creates a campaign for an advertiser. */
export const managedCampaignSchema = campaignChangesSchema.extend({
  advertiser_id: idSchema<AccountId>(),
  commission_rate: commissionRateSchema.nullable().optional(),
});
export type ManagedCampaign = z.output<typeof managedCampaignSchema>;

/** The version of a campaign that the sender saw. */
export const seenVersionSchema = z
  .preprocess(
    (value) => (typeof value === "string" && /^\d{1,9}$/.test(value) ? Number(value) : value),
    z
      .int("Send the version number as a whole number")
      .positive("Send the version number as a whole number")
      .max(2_147_483_647, "Send the version number as a whole number")
      .nullable()
      .optional(),
  )
  .optional();

/** The fields that both sides change on a campaign's page, without the other steps. */
export const campaignBudgetSchema = campaignStepSchemas[5]
  .pick({ budget: true, daily_budget: true, end_date: true })
  .extend({ version: seenVersionSchema });

/** The form of a publisher that edits a campaign that it manages. */
export const managedChangesSchema = campaignChangesSchema.extend({ version: seenVersionSchema });

/** `POST /api/campaigns/{id}/approve`. `version` is what the reviewer saw; screens always send it. */
export const reviewSchema = z.object({
  action: z.enum(["approve", "reject"], "Choose approve or reject"),
  notes: patchText({ max: 2_000, multiline: true }),
  version: seenVersionSchema,
  reasons: listOfAtMost(z.enum(rejectionReasons, "Choose reasons from the list"), rejectionReasons.length).optional(),
});
export type Review = z.output<typeof reviewSchema>;

export const campaignIdSchema = idSchema<CampaignId>();

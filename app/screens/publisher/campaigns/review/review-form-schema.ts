import { z } from "zod";
import { reviewSchema } from "#app/domain/campaigns/campaign-payloads.ts";

/**
 * A rejection on the screen asks for a reason or a note, so that the advertiser knows what to change. A publisher who
 * has none to give says so in the form. The API accepts a rejection without either.
 */
export const reviewFormSchema = reviewSchema
  .extend({ without_reason: z.literal("on").optional().catch(undefined) })
  .refine(
    ({ action, notes, reasons = [], without_reason: isWithout }) =>
      action === "approve" || Boolean(notes) || reasons.length > 0 || isWithout === "on",
    { path: ["notes"], message: "Choose a reason or write a note, so the advertiser knows what to change" },
  )
  .transform(({ without_reason: _, ...review }) => review);

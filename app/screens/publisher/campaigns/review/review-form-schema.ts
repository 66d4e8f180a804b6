import { reviewSchema } from "#app/domain/campaigns/campaign-payloads.ts";

/** A rejection on the screen says why, so that the advertiser knows what to change. The API accepts one without. */
export const reviewFormSchema = reviewSchema.refine(
  ({ action, notes, reasons = [] }) => action === "approve" || Boolean(notes) || reasons.length > 0,
  { path: ["notes"], message: "Choose a reason or write a note, so the advertiser knows what to change" },
);

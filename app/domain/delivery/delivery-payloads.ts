import { z } from "zod";
import { channels } from "../campaigns/campaign.ts";
import { creativeLimits } from "../creatives/creative.ts";
import { figureFields } from "./delivery-figures.ts";
import { isSource, type RowField, requiredRowFields, rowRejections } from "./delivery-row.ts";

/** The maximum number of rows in one report. */
export const maxReportRows = 50_000;

const amount = { type: "number", minimum: 0, description: "US dollars, up to six decimals" };
const count = { type: "integer", minimum: 0 };

const figures = { impressions: count, clicks: count, conversions: count, spend: amount, revenue: amount };

const fields: Record<RowField, object> = {
  campaign_id: { type: "string" },
  audience_id: { type: "string" },
  channel: { enum: [...channels] },
  date: { type: "string", format: "date", description: "Date (UTC)" },
  ...figures,
  reach: {
    type: "integer",
    minimum: 0,
    description: "Distinct people reached on that date; at most the impressions, and 0 only without any",
  },
  creatives: {
    type: "array",
    items: {
      type: "object",
      properties: { creative_id: { type: "string" }, ...figures },
      required: ["creative_id", ...figureFields],
    },
    maxItems: creativeLimits.perCampaign,
    description: "Metrics per creative; totals can't exceed the row's. JSON only.",
  },
  source: { type: "string", description: "Overrides the report's source" },
  currency: { const: "USD" },
};

/** Rows are parsed one by one by the verb: an invalid row is rejected with its index, not the whole report. */
const row = z.unknown().meta({ type: "object", properties: fields, required: [...requiredRowFields] });

/** The body of `POST /api/delivery-reports`. */
export const deliveryReportSchema = z.object({
  source: z
    .string("Enter a source name")
    .refine(isSource, rowRejections.invalid_source)
    .nullable()
    .default(null)
    .describe("Source of the metrics; a row can override it"),
  rows: z
    .array(row, "Send an array of rows")
    .min(1, "Send at least one row")
    .max(maxReportRows, `Send up to ${maxReportRows.toLocaleString("en-US")} rows per request`),
});

import { z } from "zod";
import { channels } from "../campaigns/campaign.ts";
import { creativeLimits } from "../creatives/creative.ts";
import { figureFields } from "./delivery-figures.ts";
import { isSource, type RowField, requiredRowFields, rowRefusals } from "./delivery-row.ts";

/** The most rows of one report. */
export const mostReportRows = 50_000;

const amount = { type: "number", minimum: 0, description: "US dollars, at most six decimals" };
const count = { type: "integer", minimum: 0 };

const figures = { impressions: count, clicks: count, conversions: count, spend: amount, revenue: amount };

const fields: Record<RowField, object> = {
  campaign_id: { type: "string" },
  audience_id: { type: "string" },
  channel: { enum: [...channels] },
  date: { type: "string", format: "date", description: "The day (UTC)" },
  ...figures,
  reach: {
    type: "integer",
    minimum: 0,
    description: "How many people saw it on that day, each once; no more than the impressions",
  },
  creatives: {
    type: "array",
    items: {
      type: "object",
      properties: { creative_id: { type: "string" }, ...figures },
      required: ["creative_id", ...figureFields],
    },
    maxItems: creativeLimits.chosen,
    description: "What each creative did of it, together no more than the row; in JSON alone",
  },
  source: { type: "string", description: "Instead of the report's" },
  currency: { const: "USD" },
};

/** Rows are read one by one by the verb's reader: a bad one is refused with its index, not the report. */
const row = z.unknown().meta({ type: "object", properties: fields, required: [...requiredRowFields] });

/** `POST /api/delivery-reports`. */
export const deliveryReportSchema = z.object({
  source: z
    .string("Name the source")
    .refine(isSource, rowRefusals.invalid_source)
    .nullable()
    .default(null)
    .describe("Who counted; rows may name their own"),
  rows: z
    .array(row, "Send a list of rows")
    .min(1, "Send at least one row")
    .max(mostReportRows, `Send at most ${mostReportRows.toLocaleString("en-US")} rows at once`),
});

import { z } from "zod";
import { campaignIdSchema } from "#app/domain/campaigns/campaign-payloads.ts";

/** A list shows 25 rows; the limit bounds what one request may change. */
const maxSelected = 100;

const selectionSchema = z.array(campaignIdSchema).max(maxSelected);

/** Returns the campaigns that the checkboxes name, each once; `undefined` for anything else. */
export function parseSelection(values: readonly unknown[]) {
  return selectionSchema.safeParse([...new Set(values)]).data;
}

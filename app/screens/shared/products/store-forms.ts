import { z } from "zod";
import { storeSchema, storeSettingsSchema } from "#app/domain/catalog/stores/store-payloads.ts";

/** The form that connects a shop. */
export const storeForm = storeSchema;

/** What one can do with a connected shop, told apart by the button. */
export const storeForms = z.discriminatedUnion("intent", [
  z.object({ intent: z.literal("sync") }),
  storeSettingsSchema.extend({ intent: z.literal("save") }),
]);

import { z } from "zod";
import { storeSchema, storeSettingsSchema } from "#app/domain/catalog/stores/store-payloads.ts";

/** The form that connects a store. */
export const connectStoreSchema = storeSchema;

/** The actions of a connected store, distinguished by button. */
export const storeActionSchema = z.discriminatedUnion("intent", [
  z.object({ intent: z.literal("sync") }),
  storeSettingsSchema.extend({ intent: z.literal("save") }),
]);

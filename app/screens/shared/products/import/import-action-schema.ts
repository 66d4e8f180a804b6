import { z } from "zod";
import { importMappingSchema } from "#app/domain/catalog/import-payloads.ts";

/** The actions of a preview, distinguished by button. */
export const importActionSchema = z.discriminatedUnion("intent", [
  z.object({ intent: z.literal("commit") }),
  z.object({ intent: z.literal("discard") }),
  importMappingSchema.extend({ intent: z.literal("read-again") }),
]);

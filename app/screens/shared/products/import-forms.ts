import { z } from "zod";
import { importMappingSchema } from "#app/domain/catalog/import-payloads.ts";

/** What one can do with a preview, told apart by the button. */
export const importForms = z.discriminatedUnion("intent", [
  z.object({ intent: z.literal("commit") }),
  z.object({ intent: z.literal("discard") }),
  importMappingSchema.extend({ intent: z.literal("read-again") }),
]);

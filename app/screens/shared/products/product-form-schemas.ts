import { z } from "zod";
import { newCategorySchema, productSchema } from "#app/domain/catalog/product-payloads.ts";

/** The forms that create and edit a product own all of its fields: an empty field is cleared. */
export const productFormSchema = productSchema.extend({
  idempotency_key: z.string().max(200).optional().catch(undefined),
});

/** The bulk actions, distinguished by button. */
export const selectionActionSchema = z.discriminatedUnion("intent", [
  z.object({ intent: z.literal("delete") }),
  newCategorySchema.extend({ intent: z.literal("category") }),
]);

import { z } from "zod";
import { newCategorySchema, productSchema } from "#app/domain/catalog/product-payloads.ts";

/** The forms that make and change a product own all of its fields: an empty one is cleared. */
export const productForm = productSchema.extend({ idempotency_key: z.string().max(200).optional().catch(undefined) });

/** What is done with several products, told apart by the button. */
export const selectionForms = z.discriminatedUnion("intent", [
  z.object({ intent: z.literal("delete") }),
  newCategorySchema.extend({ intent: z.literal("category") }),
]);

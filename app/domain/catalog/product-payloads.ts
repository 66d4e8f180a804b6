import { z } from "zod";
import { fieldRules } from "../field-rules.ts";
import { idSchema, type ProductId } from "../ids.ts";
import { dollarsSchema } from "../money.ts";
import { optionalText, patchText, requiredText } from "../text.ts";
import { parseImageUrl } from "./image-url.ts";
import { listingStatuses, maxSelectedProducts, productLimits } from "./product.ts";

const priceTooHighMessage = "Enter $10,000,000 or less";
const invalidCountMessage = "Enter a whole number, 0 or more";
const invalidUrlMessage = "Enter a URL that begins with https://";

/** Schemas of product payloads. Fields are named as in the JSON API. */
const fields = {
  name: requiredText({ max: productLimits.name, message: "Enter a product name" }),
  sku: requiredText({ max: productLimits.sku, message: "Enter a SKU" }),
  category: requiredText({ max: productLimits.category, message: "Enter a category" }),
  price: dollarsSchema("Enter a price in US dollars, such as 12 or 12.50", priceTooHighMessage)
    .refine((cents) => cents <= productLimits.priceCents, priceTooHighMessage)
    .register(fieldRules, { max: [productLimits.priceCents / 100, priceTooHighMessage] }),
  listingStatus: z.enum(listingStatuses, "Choose active, draft or archived"),
  inventory: z
    .union([z.string(), z.number()], invalidCountMessage)
    .nullable()
    .transform((value, ctx): number | null => {
      if (value === null || String(value).trim() === "") return null;
      const text = String(value).trim().replaceAll(",", "");
      if (/^\d{1,10}$/.test(text) && Number(text) <= productLimits.inventory) return Number(text);
      ctx.addIssue({ code: "custom", message: invalidCountMessage });
      return z.NEVER;
    })
    .register(fieldRules, {
      patterns: [[/^\s*$|^\s*,*(?:\d,*){1,10}\s*$/, invalidCountMessage]],
      max: [productLimits.inventory, invalidCountMessage],
    }),
};

const descriptionRules = { max: productLimits.description, multiline: true };

const imageUrlText = z
  .string()
  .refine((url) => parseImageUrl(url) !== null, invalidUrlMessage)
  .register(fieldRules, { patterns: [[/^\s*$|^\s*https:/, invalidUrlMessage]] });

/** `POST /api/products` and the form: name, SKU, category and price are required. */
export const productSchema = z.object({
  name: fields.name,
  sku: fields.sku,
  category: fields.category,
  price: fields.price,
  description: optionalText(descriptionRules),
  inventory: fields.inventory.default(null),
  image: optionalText({ max: productLimits.image }).pipe(imageUrlText.nullable()),
  brand: optionalText({ max: productLimits.brand }),
  group: optionalText({ max: productLimits.group }),
  listing_status: fields.listingStatus.default("active"),
});
export type NewProduct = z.output<typeof productSchema>;

/** `PATCH /api/products/{id}`: absent means unchanged, null means cleared. */
export const productChangesSchema = z.object({
  name: fields.name.optional(),
  sku: fields.sku.optional(),
  category: fields.category.optional(),
  price: fields.price.optional(),
  description: patchText(descriptionRules),
  inventory: fields.inventory.optional(),
  image: patchText({ max: productLimits.image }).pipe(imageUrlText.nullish()),
  brand: patchText({ max: productLimits.brand }),
  group: patchText({ max: productLimits.group }),
  listing_status: fields.listingStatus.optional(),
});
export type ProductChanges = z.output<typeof productChangesSchema>;

/** `POST /api/products/delete` and `/categorize`: the ids of the products. */
export const selectedProductsSchema = z.object({
  products: z
    .array(idSchema<ProductId>(), "Send an array of IDs")
    .min(1, "Choose at least one product")
    .max(maxSelectedProducts, `Choose up to ${maxSelectedProducts} products`),
});
export const newCategorySchema = z.object({ category: fields.category });

import { z } from "zod";
import { fieldRules } from "../field-rules.ts";
import { idSchema, type ProductId } from "../ids.ts";
import { dollarsSchema } from "../money.ts";
import { changedText, optionalText, requiredText } from "../text.ts";
import { mostSelected, productLimits } from "./product.ts";

const tooDear = "Enter at most $10,000,000";
const noCount = "Enter a whole number, 0 or more";
const noPicture = "Enter a web address that begins with https://";

/** What comes in about products, named as on the wire. */
const fields = {
  name: requiredText({ max: productLimits.name, message: "Enter a product name" }),
  sku: requiredText({ max: productLimits.sku, message: "Enter a SKU" }),
  category: requiredText({ max: productLimits.category, message: "Enter a category" }),
  price: dollarsSchema("Enter a price in US dollars, such as 12 or 12.50")
    .refine((cents) => cents <= productLimits.priceCents, tooDear)
    .register(fieldRules, { max: [productLimits.priceCents / 100, tooDear] }),
  inventory: z
    .union([z.string(), z.number()], noCount)
    .nullable()
    .transform((value, ctx): number | null => {
      if (value === null || String(value).trim() === "") return null;
      const text = String(value).trim().replaceAll(",", "");
      if (/^\d{1,10}$/.test(text) && Number(text) <= productLimits.inventory) return Number(text);
      ctx.addIssue({ code: "custom", message: noCount });
      return z.NEVER;
    })
    .register(fieldRules, {
      patterns: [[/^\s*$|^\s*,*(?:\d,*){1,10}\s*$/, noCount]],
      max: [productLimits.inventory, noCount],
    }),
};

const descriptionRules = { max: productLimits.description, multiline: true };

/** Shown by the browser, which takes pictures over https only; never fetched by the server. */
const picture = z.url({ protocol: /^https$/, hostname: z.regexes.domain });
const webAddress = z
  .string()
  .refine((url) => picture.safeParse(url).success, noPicture)
  .register(fieldRules, { patterns: [[/^\s*$|^\s*https:/, noPicture]] });

/** `POST /api/products`, and the form: name, SKU, category and price are required. */
export const productSchema = z.object({
  name: fields.name,
  sku: fields.sku,
  category: fields.category,
  price: fields.price,
  description: optionalText(descriptionRules),
  inventory: fields.inventory.default(null),
  image: optionalText({ max: productLimits.image }).pipe(webAddress.nullable()),
  brand: optionalText({ max: productLimits.brand }),
  group: optionalText({ max: productLimits.group }),
});
export type NewProduct = z.output<typeof productSchema>;

/** `PATCH /api/products/{id}`: absent means unchanged, null means cleared. */
export const productChangesSchema = z.object({
  name: fields.name.optional(),
  sku: fields.sku.optional(),
  category: fields.category.optional(),
  price: fields.price.optional(),
  description: changedText(descriptionRules),
  inventory: fields.inventory.optional(),
  image: changedText({ max: productLimits.image }).pipe(webAddress.nullish()),
  brand: changedText({ max: productLimits.brand }),
  group: changedText({ max: productLimits.group }),
});
export type ProductChanges = z.output<typeof productChangesSchema>;

/** `POST /api/products/delete` and `/categorize`: the products by their ids. */
export const chosenProductsSchema = z.object({
  products: z
    .array(idSchema<ProductId>(), "Send a list of ids")
    .min(1, "Choose at least one product")
    .max(mostSelected, `Choose at most ${mostSelected}`),
});
export const newCategorySchema = z.object({ category: fields.category });

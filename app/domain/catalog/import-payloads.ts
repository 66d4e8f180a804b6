import { z } from "zod";
import { textEncodingField } from "#app/sheets/text/encoding-field.ts";
import { optionalText } from "../text.ts";
import { type ChosenColumns, importFields, requiredFields } from "./imports/catalog-import.ts";
import { productLimits } from "./product.ts";

/** Settings sent beside the file of an import, as form text. */
const flag = z
  .string()
  .optional()
  .transform((text) => /^(?:true|on|1|yes)$/i.test(text?.trim() ?? ""));
const category = optionalText({ max: productLimits.category });

/** `POST /api/products/imports`. */
export const importSettingsSchema = z.object({
  derive_sku: flag,
  default_category: category,
  encoding: textEncodingField,
  commit: flag,
});

/** An empty value selects the dialect's own column; this one skips the field. */
const skipField = "-";

const column = z
  .string()
  .max(500)
  .optional()
  .transform((name) => (name === skipField ? null : name?.trim() || undefined));

/** The column that each field is read from, as a form field `column_…` for each, and the generated values. */
export const importMappingSchema = z.object({
  derive_sku: flag,
  default_category: category,
  encoding: textEncodingField,
  ...Object.fromEntries(importFields.map((field) => [`column_${field}`, column])),
});

/** Returns the columns chosen in the form; a required field cannot be skipped. */
export function parseChosenColumns(form: Record<string, unknown>): ChosenColumns {
  const chosen: ChosenColumns = {};
  for (const field of importFields) {
    const name = form[`column_${field}`];
    if (typeof name === "string") chosen[field] = name;
    else if (name === null && !requiredFields.includes(field)) chosen[field] = null;
  }
  return chosen;
}

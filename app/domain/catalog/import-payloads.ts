import { z } from "zod";
import { optionalText } from "../text.ts";
import { type ChosenColumns, importFields, requiredFields } from "./imports/catalog-import.ts";
import { productLimits } from "./product.ts";

/** What stands beside the file of an import: as text, since it comes in a form. */
const flag = z
  .string()
  .optional()
  .transform((text) => /^(?:true|on|1|yes)$/i.test(text?.trim() ?? ""));
const category = optionalText({ max: productLimits.category });

/** `POST /api/products/imports`. */
export const importSettingsSchema = z.object({ derive_sku: flag, default_category: category, commit: flag });

/** The empty choice is what the dialect does; this one is not to read the field at all. */
const leftOut = "-";

const column = z
  .string()
  .max(500)
  .optional()
  .transform((name) => (name === leftOut ? null : name?.trim() || undefined));

/** Which column each field is read from, and what may be made up: a form with a field `column_` for each. */
export const importMappingSchema = z.object({
  derive_sku: flag,
  default_category: category,
  ...Object.fromEntries(importFields.map((field) => [`column_${field}`, column])),
});

/** The columns that the form chose; a required field cannot be left out. */
export function chosenColumnsOf(form: Record<string, unknown>): ChosenColumns {
  const chosen: ChosenColumns = {};
  for (const field of importFields) {
    const name = form[`column_${field}`];
    if (typeof name === "string") chosen[field] = name;
    else if (name === null && !requiredFields.includes(field)) chosen[field] = null;
  }
  return chosen;
}

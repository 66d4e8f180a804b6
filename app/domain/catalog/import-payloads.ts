import { z } from "zod";
import { textEncodingField } from "#app/sheets/text/encoding-field.ts";
import { optionalText } from "../text.ts";
import { hasCredentials, urlCredentialsMessage } from "../url-credentials.ts";
import { type ChosenColumns, type ImportSettings, importFields, requiredFields } from "./imports/catalog-import.ts";
import { productLimits } from "./product.ts";

/** Settings sent beside the file of an import, as form text. */
const flag = z
  .string()
  .optional()
  .transform((text) => /^(?:true|on|1|yes)$/i.test(text?.trim() ?? ""));
const category = optionalText({ max: productLimits.category });

/** An empty value selects the dialect's own column; this one skips the field. */
const skipField = "-";

const column = z
  .string()
  .max(500)
  .optional()
  .transform((name) => (name === skipField ? null : name?.trim() || undefined));

/** The row number of the header; empty means that it is detected. */
const headerRow = z
  .string()
  .optional()
  .transform((text, ctx): number | null => {
    const digits = text?.trim() ?? "";
    if (digits === "") return null;
    if (/^[1-9]\d{0,5}$/.test(digits)) return Number(digits);
    ctx.addIssue({ code: "custom", message: "Enter the number of a row" });
    return z.NEVER;
  });

/** The currency of prices that name none; empty means that the file is expected to be in the account's. */
const currency = z
  .string()
  .optional()
  .transform((text, ctx): string | null => {
    const code = text?.trim().toUpperCase() ?? "";
    if (code === "") return null;
    if (currencyCodes.has(code)) return code;
    ctx.addIssue({ code: "custom", message: "Enter a currency code, such as USD" });
    return z.NEVER;
  });
const imageBaseMessage = "Enter a URL that begins with https://, without a query";

/** The URL that file names of images are relative to; empty means that images without a URL are not imported. */
const imageBase = z
  .string()
  .max(500)
  .optional()
  .transform((text, ctx): string | null => {
    const url = text?.trim() ?? "";
    if (url === "") return null;
    const read = /^https:\/\//i.test(url) && URL.canParse(url) ? new URL(url) : undefined;
    if (read && !hasCredentials(read) && read.search === "" && read.hash === "") return read.href;
    ctx.addIssue({ code: "custom", message: read && hasCredentials(read) ? urlCredentialsMessage : imageBaseMessage });
    return z.NEVER;
  });

const currencyCodes = new Set(Intl.supportedValuesOf("currency"));

/** The column that each field is read from, as a form field `column_…` for each, the generated values and choices. */
export const importMappingSchema = z.object({
  derive_sku: flag,
  default_category: category,
  currency,
  image_base: imageBase,
  encoding: textEncodingField,
  header_row: headerRow,
  ...Object.fromEntries(importFields.map((field) => [`column_${field}`, column])),
});

/** `POST /api/products/imports`. */
export const importSettingsSchema = importMappingSchema.extend({ commit: flag });

/** Returns the choices of the form other than the columns. */
export function toImportSettings(form: z.output<typeof importMappingSchema>): ImportSettings {
  return {
    deriveSku: form.derive_sku,
    defaultCategory: form.default_category,
    currency: form.currency,
    imageBase: form.image_base,
    chosenEncoding: form.encoding ?? null,
    chosenHeaderRow: form.header_row,
  };
}

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

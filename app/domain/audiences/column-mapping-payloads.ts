import { z } from "zod";
import {
  type ColumnMapping,
  columnUses,
  hasWholeAddress,
  identifierOf,
  maxLayoutColumns,
} from "./files/column-uses.ts";
import { parseCountryCode } from "./members/normalize-phone.ts";

const invalidUseMessage = `Use one of ${columnUses.join(", ")}`;
const invalidCountryMessage = "Choose a country from the list";
const wholeAddressMessage = "Choose the columns of the first name, the last name and the postal code, or none of them";
const noIdentifierMessage = "Choose at least one column that holds an email address or a phone number";

const phoneCountry = z
  .string(invalidCountryMessage)
  .nullish()
  .transform((text, ctx): string | null => {
    const country = parseCountryCode(text ?? undefined);
    if (country || !text?.trim()) return country ?? null;
    ctx.addIssue({ code: "custom", message: invalidCountryMessage });
    return z.NEVER;
  });

/** The form of a layout: the use of each column, in the order of the file. */
export const columnMappingFormSchema = z.object({
  columns: z
    .array(z.enum(columnUses, invalidUseMessage))
    .max(maxLayoutColumns)
    .refine((uses) => uses.some((use) => identifierOf(use)), noIdentifierMessage)
    .refine(hasWholeAddress, wholeAddressMessage),
  phone_country: phoneCountry,
});

export function toColumnMapping(form: z.output<typeof columnMappingFormSchema>): ColumnMapping {
  return {
    columns: Object.fromEntries(form.columns.map((use, index) => [String(index), use])),
    phoneCountry: form.phone_country,
  };
}

const sentMappingSchema = z.strictObject({
  columns: z
    .record(z.string().max(500), z.enum(columnUses, invalidUseMessage), "Send an object of column names and uses")
    .refine((columns) => Object.keys(columns).length <= maxLayoutColumns, `Send up to ${maxLayoutColumns} columns`)
    .refine((columns) => hasWholeAddress(Object.values(columns)), wholeAddressMessage)
    .default({}),
  phone_country: phoneCountry,
});

/** A mapping sent with an upload, as JSON in a form field; empty or absent reads columns as saved or detected. */
export const columnMappingField = z
  .string()
  .transform((text, ctx): ColumnMapping | undefined => {
    if (text.trim() === "") return undefined;
    const sent = sentMappingSchema.safeParse(parseJson(text));
    if (sent.success) return { columns: sent.data.columns, phoneCountry: sent.data.phone_country };
    const [issue] = sent.error.issues;
    const place = issue?.path.join(".");
    ctx.addIssue({ code: "custom", message: place ? `${place}: ${issue?.message}` : mappingMessage });
    return z.NEVER;
  })
  .optional()
  .describe(
    `How columns are read, as JSON: {"columns": {"Contact": "email"}, "phone_country": "DE"}. Columns are named as in the file; those not named are detected. Uses: ${columnUses.join(", ")}. phone_country is the country of rows without one. given_name, family_name and postal_code go together, with a country`,
  );

const mappingMessage = 'Send JSON such as {"columns": {"Contact": "email"}, "phone_country": "DE"}';

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

import { z } from "zod";
import { fieldRules } from "../field-rules.ts";
import { asCents, type Cents, dollarsSchema } from "../money.ts";
import { optionalText, patchText, requiredText } from "../text.ts";
import { dataSources, defaultCpmCents, refreshFrequencies, segments } from "./audience.ts";
import { consentStatuses } from "./consent/audience-consent.ts";
import { parseCountryCode } from "./members/normalize-phone.ts";

/** Schemas of audience payloads. Fields are named as in the JSON API. */
const maxCpmCents = 10_000_000;
const maxEstimatedSize = 1e12;
const invalidCountMessage = "Enter a whole number, 0 or more";
const invalidConsentMessage = "Choose whether these people consented";
const cpmTooHighMessage = "Enter $100,000 or less";

const descriptionRules = { max: 2_000, multiline: true };

const fields = {
  name: requiredText({ max: 120, message: "Enter an audience name" }),
  segment: z.enum(segments, "Choose a segment"),
  estimatedSize: z
    .union([z.string(), z.number()], invalidCountMessage)
    .nullable()
    .transform((value, ctx): number | null => {
      if (value === null || value === "") return null;
      const size = readCount(value);
      if (size !== undefined) return size;
      ctx.addIssue({ code: "custom", message: invalidCountMessage });
      return z.NEVER;
    })
    .register(fieldRules, { patterns: [[/^\s*,*(?:\d,*){1,13}\s*$/, invalidCountMessage]] }),
  /** The default CPM applies when no price is entered. */
  cpmRate: dollarsSchema("Enter an amount in US dollars, such as 5 or 7.50", cpmTooHighMessage)
    .refine((cents) => cents <= maxCpmCents, cpmTooHighMessage)
    .register(fieldRules, { max: [maxCpmCents / 100, cpmTooHighMessage] })
    .nullable()
    .transform((cents): Cents => cents ?? asCents(defaultCpmCents)),
  consent: z.enum(consentStatuses, invalidConsentMessage),
  dataSource: z.enum(dataSources, "Choose a data source"),
  refreshFrequency: z.enum(refreshFrequencies, "Choose a refresh frequency"),
  defaultCountry: z
    .string("Choose a country from the list")
    .nullable()
    .transform((text, ctx): string | null => {
      const country = parseCountryCode(text ?? undefined);
      if (country || !text?.trim()) return country ?? null;
      ctx.addIssue({ code: "custom", message: "Choose a country from the list" });
      return z.NEVER;
    }),
};

/** `POST /api/audiences` and the form: only name and segment are required. */
export const audienceSchema = z.object({
  name: fields.name,
  description: optionalText(descriptionRules),
  segment: fields.segment,
  estimated_size: fields.estimatedSize.default(null),
  cpm_rate: fields.cpmRate.default(asCents(defaultCpmCents)),
  data_source: fields.dataSource.default("file"),
  refresh_frequency: fields.refreshFrequency.default("weekly"),
  default_country: fields.defaultCountry.default(null),
  ad_user_data_consent: fields.consent.default("unspecified"),
  ad_personalization_consent: fields.consent.default("unspecified"),
});
export type NewAudience = z.output<typeof audienceSchema>;

/**
 * `PATCH /api/audiences/{id}`: absent means unchanged, null means cleared. A cleared CPM rate becomes the default CPM.
 */
export const audienceChangesSchema = z.object({
  name: fields.name.optional(),
  description: patchText(descriptionRules),
  segment: fields.segment.optional(),
  estimated_size: fields.estimatedSize.optional(),
  cpm_rate: fields.cpmRate.optional(),
  data_source: fields.dataSource.optional(),
  refresh_frequency: fields.refreshFrequency.optional(),
  default_country: fields.defaultCountry.optional(),
  ad_user_data_consent: fields.consent.optional(),
  ad_personalization_consent: fields.consent.optional(),
});
export type AudienceChanges = z.output<typeof audienceChangesSchema>;

const consentOrUnchanged = z
  .enum([...consentStatuses, ""], invalidConsentMessage)
  .transform((status) => status || undefined)
  .optional();

/** What may be stated about consent with an upload: empty means that the audience's statement stays as it is. */
export const consentChangesSchema = z.object({
  ad_user_data_consent: consentOrUnchanged,
  ad_personalization_consent: consentOrUnchanged,
});
export type ConsentChanges = z.output<typeof consentChangesSchema>;

function readCount(value: string | number): number | undefined {
  const text = String(value).trim().replaceAll(",", "");
  return /^\d{1,13}$/.test(text) && Number(text) <= maxEstimatedSize ? Number(text) : undefined;
}

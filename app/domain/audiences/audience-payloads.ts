import { z } from "zod";
import { fieldRules } from "../field-rules.ts";
import { type Cents, dollarsSchema, toCents } from "../money.ts";
import { changedText, optionalText, requiredText } from "../text.ts";
import { dataSources, defaultCpmCents, refreshFrequencies, segments } from "./audience.ts";
import { countryOf } from "./members/read-phone.ts";

/** What comes in about audiences, named as on the wire. */
const mostCpmCents = 10_000_000;
const mostPeople = 1e12;
const noCount = "Enter a whole number, 0 or more";
const tooDear = "Enter at most $100,000";

const descriptionRules = { max: 2_000, multiline: true };

const fields = {
  name: requiredText({ max: 120, message: "Enter an audience name" }),
  segment: z.enum(segments, "Choose a segment"),
  estimatedSize: z
    .union([z.string(), z.number()], noCount)
    .nullable()
    .transform((value, ctx): number | null => {
      if (value === null || value === "") return null;
      const size = readCount(value);
      if (size !== undefined) return size;
      ctx.addIssue({ code: "custom", message: noCount });
      return z.NEVER;
    })
    .register(fieldRules, { patterns: [[/^\s*,*(?:\d,*){1,13}\s*$/, noCount]] }),
  /** Without a price it is the usual one. */
  cpmRate: dollarsSchema("Enter an amount in US dollars, such as 5 or 7.50")
    .refine((cents) => cents <= mostCpmCents, tooDear)
    .register(fieldRules, { max: [mostCpmCents / 100, tooDear] })
    .nullable()
    .transform((cents): Cents => cents ?? toCents(defaultCpmCents)),
  dataSource: z.enum(dataSources, "Choose a data source"),
  refreshFrequency: z.enum(refreshFrequencies, "Choose a refresh frequency"),
  defaultCountry: z
    .string("Choose a country from the list")
    .nullable()
    .transform((text, ctx): string | null => {
      const country = countryOf(text ?? undefined);
      if (country || !text?.trim()) return country ?? null;
      ctx.addIssue({ code: "custom", message: "Choose a country from the list" });
      return z.NEVER;
    }),
};

/** `POST /api/audiences`, and the form: only name and segment are required. */
export const audienceSchema = z.object({
  name: fields.name,
  description: optionalText(descriptionRules),
  segment: fields.segment,
  estimated_size: fields.estimatedSize.default(null),
  cpm_rate: fields.cpmRate.default(toCents(defaultCpmCents)),
  data_source: fields.dataSource.default("file"),
  refresh_frequency: fields.refreshFrequency.default("weekly"),
  default_country: fields.defaultCountry.default(null),
});
export type NewAudience = z.output<typeof audienceSchema>;

/** `PATCH /api/audiences/{id}`: absent means unchanged, null means cleared (the CPM rate: the usual one). */
export const audienceChangesSchema = z.object({
  name: fields.name.optional(),
  description: changedText(descriptionRules),
  segment: fields.segment.optional(),
  estimated_size: fields.estimatedSize.optional(),
  cpm_rate: fields.cpmRate.optional(),
  data_source: fields.dataSource.optional(),
  refresh_frequency: fields.refreshFrequency.optional(),
  default_country: fields.defaultCountry.optional(),
});
export type AudienceChanges = z.output<typeof audienceChangesSchema>;

function readCount(value: string | number): number | undefined {
  const text = String(value).trim().replaceAll(",", "");
  return /^\d{1,13}$/.test(text) && Number(text) <= mostPeople ? Number(text) : undefined;
}

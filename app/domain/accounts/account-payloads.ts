import { z } from "zod";
import { fieldRules } from "../field-rules.ts";
import { dollarsPattern, parseDollars } from "../money.ts";
import { optionalText, requiredText } from "../text.ts";
import { accountTypes, businessVerticals } from "./account.ts";

const noWebAddress = "Enter a web address such as https://www.example.com";
const noBudget = "Enter an amount in US dollars, 0 or more";
const noCount = "Enter a whole number, 0 or more";

/** What comes in about accounts, named as on the wire. Keys that do not stand here are dropped: `status` above all. */
const fields = {
  companyName: requiredText({ max: 200, message: "Company name is required" }),
  website: optionalText({ max: 2_048 })
    .refine(isWebAddress, noWebAddress)
    .register(fieldRules, { patterns: [[/^\s*$|^\s*https?:\/\/[^/]/, noWebAddress]] }),
  businessVertical: optionalText({ max: 40 }).pipe(
    z.enum(businessVerticals, "Choose a business vertical from the list").nullable(),
  ),
  budget: numberOrNull(readBudget, noBudget).register(fieldRules, {
    patterns: [[dollarsPattern, noBudget]],
    min: [0, noBudget],
  }),
  count: numberOrNull(readCount, noCount).register(fieldRules, { patterns: [[/^\s*,*(?:\d,*){1,13}\s*$/, noCount]] }),
};

/** `POST /api/users/register`. Each type's own numbers; those of the other type are not kept. */
export const registrationSchema = z
  .object({
    user_type: z.enum(accountTypes, "Choose advertiser or publisher"),
    company_name: fields.companyName,
    website: fields.website,
    business_vertical: fields.businessVertical,
    monthly_budget: fields.budget,
    monthly_visitors: fields.count,
    monthly_pageviews: fields.count,
  })
  .transform((payload) =>
    payload.user_type === "advertiser"
      ? { ...payload, monthly_visitors: null, monthly_pageviews: null }
      : { ...payload, business_vertical: null, monthly_budget: null },
  );
export type Registration = z.output<typeof registrationSchema>;

/** The profile page's form. It owns all of its fields, so that an empty one is cleared and an unticked box is off. */
export const profileSchema = z.object({
  company_name: fields.companyName,
  website: fields.website,
  business_vertical: fields.businessVertical,
  monthly_budget: fields.budget,
  monthly_visitors: fields.count,
  monthly_pageviews: fields.count,
  allows_managed_campaigns: z.boolean("Choose yes or no").default(false),
});
export type Profile = z.output<typeof profileSchema>;

function isWebAddress(text: string | null): boolean {
  if (text === null) return true;
  if (!/^https?:\/\/[^/]/i.test(text) || !URL.canParse(text)) return false;
  const url = new URL(text);
  return url.username === "" && url.password === "";
}

/** Form texts and JSON numbers alike; absent, null and empty are null. */
function numberOrNull<T>(read: (value: string | number) => T | undefined, message: string) {
  return z
    .union([z.string(), z.number()], message)
    .nullable()
    .default(null)
    .transform((value, ctx): T | null => {
      if (value === null || value === "") return null;
      const number = read(value);
      if (number !== undefined) return number;
      ctx.addIssue({ code: "custom", message });
      return z.NEVER;
    });
}

function readBudget(value: string | number) {
  const amount = parseDollars(value);
  return amount !== undefined && amount >= 0 ? amount : undefined;
}

/** At most a million millions. */
function readCount(value: string | number): number | undefined {
  const text = String(value).trim().replaceAll(",", "");
  return /^\d{1,13}$/.test(text) && Number(text) <= 1e12 ? Number(text) : undefined;
}

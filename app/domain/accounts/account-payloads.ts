import { z } from "zod";
import { fieldRules } from "../field-rules.ts";
import { dollarsPattern, maxDollars, maxDollarsMessage, parseDollars } from "../money.ts";
import { optionalText, requiredText } from "../text.ts";
import { hasCredentials, urlCredentialsMessage } from "../url-credentials.ts";
import { accountTypes, businessVerticals } from "./account.ts";

const invalidUrlMessage = "Enter a URL, such as https://www.example.com";
const invalidBudgetMessage = "Enter an amount in US dollars, 0 or more";
const invalidCountMessage = "Enter a whole number, 0 or more";
const maxCount = 1_000_000_000_000;
const maxCountMessage = `Enter ${maxCount.toLocaleString("en-US")} or less`;
const countPattern = /^\s*,*(?:\d,*)+\s*$/;

/**
 * Schemas of account payloads. Fields are named as in the JSON API. Unknown keys are dropped, most importantly
 * `status`.
 */
const fields = {
  companyName: requiredText({ max: 200, message: "Company name is required" }),
  website: optionalText({ max: 2_048 })
    .refine(isWebUrl, { error: invalidUrlMessage, abort: true })
    .refine((text) => text === null || !hasCredentials(new URL(text)), urlCredentialsMessage)
    .register(fieldRules, { patterns: [[/^\s*$|^\s*https?:\/\/[^/]/, invalidUrlMessage]] }),
  businessVertical: optionalText({ max: 40 }).pipe(
    z.enum(businessVerticals, "Choose a business vertical from the list").nullable(),
  ),
  budget: numberOrNull(readBudget, (text) =>
    dollarsPattern.test(text) && !text.includes("-") ? maxDollarsMessage : invalidBudgetMessage,
  ).register(fieldRules, {
    patterns: [[dollarsPattern, invalidBudgetMessage]],
    min: [0, invalidBudgetMessage],
    max: [maxDollars, maxDollarsMessage],
  }),
  count: numberOrNull(readCount, (text) => (countPattern.test(text) ? maxCountMessage : invalidCountMessage)).register(
    fieldRules,
    { patterns: [[countPattern, invalidCountMessage]], max: [maxCount, maxCountMessage] },
  ),
};

/** `POST /api/users/register`. Numbers of the other account type are dropped. */
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

/** The profile page's form. It contains all of its fields, so an empty one is cleared and an unchecked box is off. */
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

function isWebUrl(text: string | null): boolean {
  if (text === null) return true;
  return /^https?:\/\/[^/]/i.test(text) && URL.canParse(text);
}

/**
 * Accepts form text and JSON numbers; absent, null and empty become null. `describeRejected` returns the message for a
 * text that cannot be read.
 */
function numberOrNull<T>(read: (value: string | number) => T | undefined, describeRejected: (text: string) => string) {
  return z
    .union([z.string(), z.number()], describeRejected(""))
    .nullable()
    .default(null)
    .transform((value, ctx): T | null => {
      if (value === null || value === "") return null;
      const number = read(value);
      if (number !== undefined) return number;
      ctx.addIssue({ code: "custom", message: describeRejected(String(value)) });
      return z.NEVER;
    });
}

function readBudget(value: string | number) {
  const amount = parseDollars(value);
  return amount !== undefined && amount >= 0 ? amount : undefined;
}

function readCount(value: string | number): number | undefined {
  const text = String(value).trim().replaceAll(",", "");
  return /^\d+$/.test(text) && Number(text) <= maxCount ? Number(text) : undefined;
}

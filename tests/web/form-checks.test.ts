import fc from "fast-check";
import { describe, expect, it } from "vitest";
import type { z } from "zod";
import { registrationSchema } from "#app/domain/accounts/account-payloads.ts";
import { connectionSchema, remoteListSchema } from "#app/domain/audiences/integrations/connection-payloads.ts";
import { payoutAccountSchema } from "#app/domain/billing/payouts/payout-payloads.ts";
import { topUpSchema } from "#app/domain/billing/wallet/top-up-payloads.ts";
import { campaignStepSchemas, reviewSchema } from "#app/domain/campaigns/campaign-payloads.ts";
import { audienceFormSchema } from "#app/screens/publisher/audiences/audience-form-schema.ts";
import { managedCampaignFormSchema } from "#app/screens/publisher/campaigns/create-for-advertiser/managed-campaign-form.ts";
import { importActionSchema } from "#app/screens/shared/products/import/import-action-schema.ts";
import { productFormSchema, selectionActionSchema } from "#app/screens/shared/products/product-form-schemas.ts";
import { connectStoreSchema, storeActionSchema } from "#app/screens/shared/products/stores/store-form-schemas.ts";
import { profileActionSchema } from "#app/screens/shared/profile/profile-form-schema.ts";
import { newWebhookFormSchema } from "#app/screens/shared/webhooks/webhook-form-schemas.ts";
import { findErrors } from "#app/ui/form/field-checks.ts";
import { parseForm } from "#app/web/forms/form.server.ts";
import { checksOf } from "#app/web/forms/form-checks.server.ts";

type FormCase = { name: string; schema: z.ZodType; given?: Record<string, string>; required: Record<string, string> };

/** Each form, and its error messages when it is empty. */
const forms: FormCase[] = [
  {
    name: "registration of an advertiser",
    schema: registrationSchema,
    given: { user_type: "advertiser" },
    required: { company_name: "Company name is required" },
  },
  {
    name: "registration of a publisher",
    schema: registrationSchema,
    given: { user_type: "publisher" },
    required: { company_name: "Company name is required" },
  },
  {
    name: "company",
    schema: profileActionSchema,
    given: { intent: "save-profile" },
    required: { company_name: "Company name is required" },
  },
  {
    name: "API key",
    schema: profileActionSchema,
    given: { intent: "create-key" },
    required: { name: "Enter a key name" },
  },
  {
    name: "mails",
    schema: profileActionSchema,
    given: { intent: "save-mails" },
    required: { delivery: "Choose when to receive emails", time_zone: "Choose a time zone" },
  },
  {
    name: "webhook",
    schema: newWebhookFormSchema,
    required: { url: "Enter a URL that begins with https://", events: "Choose at least one event" },
  },
  {
    name: "product",
    schema: productFormSchema,
    required: {
      name: "Enter a product name",
      sku: "Enter a SKU",
      category: "Enter a category",
      price: "Enter a price in US dollars, such as 12 or 12.50",
    },
  },
  {
    name: "category of several products",
    schema: selectionActionSchema,
    given: { intent: "category" },
    required: { category: "Enter a category" },
  },
  { name: "columns of a file", schema: importActionSchema, given: { intent: "read-again" }, required: {} },
  {
    name: "Shopify",
    schema: connectStoreSchema,
    given: { kind: "shopify" },
    required: {
      store_url: "Enter the store URL, such as example.myshopify.com",
    },
  },
  {
    name: "WooCommerce",
    schema: connectStoreSchema,
    given: { kind: "woocommerce" },
    required: {
      store_url: "Enter the store URL, such as https://shop.example.com",
      consumer_key: "Enter the consumer key, which begins with ck_",
      consumer_secret: "Enter the consumer secret, which begins with cs_",
    },
  },
  { name: "settings of a store", schema: storeActionSchema, given: { intent: "save" }, required: {} },
  {
    name: "audience",
    schema: audienceFormSchema,
    required: { name: "Enter an audience name", segment: "Choose a segment" },
  },
  {
    name: "Klaviyo",
    schema: connectionSchema,
    given: { integration: "klaviyo" },
    required: { api_key: "Enter a Klaviyo private API key" },
  },
  {
    name: "HubSpot",
    schema: connectionSchema,
    given: { integration: "hubspot" },
    required: { access_token: "Enter a HubSpot Service Key" },
  },
  {
    name: "Salesforce",
    schema: connectionSchema,
    given: { integration: "salesforce" },
    required: {
      instance_url: "Enter your Salesforce URL",
      consumer_key: "Enter the connected app's consumer key",
      consumer_secret: "Enter the connected app's consumer secret",
    },
  },
  { name: "list of a program", schema: remoteListSchema, required: { list: "Choose a list" } },
  { name: "setup of a campaign", schema: campaignStepSchemas[1], required: {} },
  { name: "creatives of a campaign", schema: campaignStepSchemas[2], required: {} },
  { name: "audiences of a campaign", schema: campaignStepSchemas[3], required: {} },
  { name: "channels of a campaign", schema: campaignStepSchemas[4], required: {} },
  { name: "budget of a campaign", schema: campaignStepSchemas[5], required: {} },
  { name: "campaign for an advertiser", schema: managedCampaignFormSchema, required: {} },
  {
    name: "review",
    schema: reviewSchema,
    given: { action: "reject" },
    required: {},
  },
  {
    name: "top-up",
    schema: topUpSchema,
    required: { amount: "Enter an amount from $10 to $100,000", payment_method_id: "Unknown ID" },
  },
  { name: "payout account", schema: payoutAccountSchema, required: { token: "Choose an account" } },
];

/** Arbitrary field values: random ones, and ones near the limits of the rules. */
const typed = fc.oneof(
  fc.string({ minLength: 1 }),
  fc.string({ unit: "grapheme", minLength: 1, maxLength: 12 }),
  fc.string({ unit: fc.constantFrom(..." $-.,0123456789"), minLength: 1, maxLength: 8 }),
  fc.integer({ min: -20, max: 200_000_000 }).map(String),
  fc.constantFrom("33.333", "1,200.505", "$ 12.345", "-1.001", "80.001", "12."),
  fc.float({ min: -5, max: 200, noNaN: true }).map((number) => number.toFixed(2)),
  fc
    .tuple(fc.constantFrom("http", "https", "ftp", ""), fc.constantFrom("://", ":", "//"), fc.domain())
    .map((parts) => parts.join("")),
  fc.integer({ min: 30, max: 5_100 }).map((length) => "é".repeat(length)),
  fc.constantFrom(" ", "2026-02-30", "2026-2-3", "12/31/2026", "a b", " https://example.com "),
  fc.string({
    unit: fc.constantFrom("\u200b", "\u202e", "\ufeff", "\u200d", "\u2800", "a", "1", "https:"),
    minLength: 1,
  }),
);

describe.each(forms)("the browser's checks of the form: $name", ({ schema, given = {}, required }) => {
  const checks = checksOf(schema, given);
  const refusalsOf = (values: Record<string, string>) => {
    const fields = new FormData();
    for (const [name, value] of Object.entries({ ...given, ...values })) fields.set(name, value);
    return { browser: findErrors(fields, checks), server: parseForm(fields, schema).reply().error ?? {} };
  };

  it("report for an empty form what the server reports", () => {
    const { browser, server } = refusalsOf({});
    expect(browser).toEqual(Object.fromEntries(Object.entries(required).map(([name, message]) => [name, [message]])));
    expect(server).toMatchObject(browser);
  });

  it("reject nothing that the server accepts, with the same messages", () => {
    for (const name of Object.keys(checks)) {
      fc.assert(
        fc.property(typed, (value) => {
          const { browser, server } = refusalsOf({ [name]: value });
          expect(server[name] ?? []).toEqual(expect.arrayContaining(browser[name] ?? []));
        }),
        { numRuns: 60 },
      );
    }
  });

  it("are sent without a schema", () => {
    expect(JSON.parse(JSON.stringify(checks))).toEqual(checks);
    expect(JSON.stringify(checks).length).toBeLessThan(2_500);
  });
});

describe("the browser's checks", () => {
  it.each([
    ["a company's name", "company_name", "x".repeat(201), "Use at most 200 characters"],
    ["a web address", "website", "example.com", "Enter a URL, such as https://www.example.com"],
    ["a budget", "monthly_budget", "much", "Enter an amount in US dollars, 0 or more"],
    ["a budget that is too high", "monthly_budget", "1,000,000,001", "Enter $1,000,000,000 or less"],
    ["a count", "monthly_visitors", "1.5", "Enter a whole number, 0 or more"],
    ["a count that is too high", "monthly_visitors", "1000000000001", "Enter 1,000,000,000,000 or less"],
  ])("reject %s", (_what, name, value, message) => {
    const fields = new FormData();
    fields.set("company_name", "Harbor");
    fields.set(name, value);
    expect(findErrors(fields, checksOf(registrationSchema, { user_type: "publisher" }))).toEqual({ [name]: [message] });
  });

  it("reject a number beyond its limits", () => {
    const fields = new FormData();
    fields.set("frequency_cap_impressions", "11");
    const errors = findErrors(fields, checksOf(campaignStepSchemas[3]));
    expect(errors).toEqual({ frequency_cap_impressions: ["Enter a whole number from 1 to 10"] });
  });

  it("treat a file without a name as none", () => {
    const fields = new FormData();
    fields.set("file", new File([], ""));
    expect(findErrors(fields, { file: { required: "Choose a file" } })).toEqual({ file: ["Choose a file"] });
    fields.set("file", new File(["a"], "a.csv"));
    expect(findErrors(fields, { file: { required: "Choose a file" } })).toEqual({});
  });

  it("are those of the form with the given fields", () => {
    expect(() => checksOf(profileActionSchema, { intent: "unknown" })).toThrow("not one of a form");
  });
});

import fc from "fast-check";
import { describe, expect, it } from "vitest";
import type { z } from "zod";
import { registrationSchema } from "#app/domain/accounts/account-payloads.ts";
import { connectionSchema, remoteListSchema } from "#app/domain/audiences/connection-payloads.ts";
import { payoutAccountSchema } from "#app/domain/billing/payouts/payout-payloads.ts";
import { topUpSchema } from "#app/domain/billing/wallet/top-up-payloads.ts";
import { campaignStepSchemas, reviewSchema } from "#app/domain/campaigns/campaign-payloads.ts";
import { audienceForm } from "#app/screens/publisher/audience-forms.ts";
import { managedCampaignForm } from "#app/screens/publisher/managed-campaign-form.ts";
import { importForms } from "#app/screens/shared/products/import-forms.ts";
import { productForm, selectionForms } from "#app/screens/shared/products/product-forms.ts";
import { storeForm, storeForms } from "#app/screens/shared/products/store-forms.ts";
import { profileForms } from "#app/screens/shared/profile/profile-forms.ts";
import { newWebhookForm } from "#app/screens/shared/webhooks/webhook-forms.ts";
import { findErrors } from "#app/ui/form/field-checks.ts";
import { parseForm } from "#app/web/form.server.ts";
import { checksOf } from "#app/web/form-checks.server.ts";

type FormCase = { name: string; schema: z.ZodType; given?: Record<string, string>; required: Record<string, string> };

/** Each form with fields, and what it says of an empty one. */
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
    schema: profileForms,
    given: { intent: "save-profile" },
    required: { company_name: "Company name is required" },
  },
  { name: "API key", schema: profileForms, given: { intent: "create-key" }, required: { name: "Name the key" } },
  {
    name: "mails",
    schema: profileForms,
    given: { intent: "save-mails" },
    required: { delivery: "Choose when mails are sent", time_zone: "Choose a time zone" },
  },
  {
    name: "webhook",
    schema: newWebhookForm,
    required: { url: "Enter an address that begins with https://", events: "Choose at least one event" },
  },
  {
    name: "product",
    schema: productForm,
    required: {
      name: "Enter a product name",
      sku: "Enter a SKU",
      category: "Enter a category",
      price: "Enter a price in US dollars, such as 12 or 12.50",
    },
  },
  {
    name: "category of several products",
    schema: selectionForms,
    given: { intent: "category" },
    required: { category: "Enter a category" },
  },
  { name: "columns of a file", schema: importForms, given: { intent: "read-again" }, required: {} },
  {
    name: "Shopify",
    schema: storeForm,
    given: { kind: "shopify" },
    required: {
      shop_url: "Enter the shop's address, such as example.myshopify.com",
      access_token: "Enter the Admin API access token of a custom app",
    },
  },
  {
    name: "WooCommerce",
    schema: storeForm,
    given: { kind: "woocommerce" },
    required: {
      shop_url: "Enter the shop's address, such as https://shop.example.com",
      consumer_key: "Enter the consumer key, which begins with ck_",
      consumer_secret: "Enter the consumer secret, which begins with cs_",
    },
  },
  { name: "settings of a store", schema: storeForms, given: { intent: "save" }, required: {} },
  {
    name: "audience",
    schema: audienceForm,
    required: { name: "Enter an audience name", segment: "Choose a segment" },
  },
  {
    name: "Klaviyo",
    schema: connectionSchema,
    given: { program: "klaviyo" },
    required: { api_key: "Enter a private API key of Klaviyo" },
  },
  {
    name: "HubSpot",
    schema: connectionSchema,
    given: { program: "hubspot" },
    required: { access_token: "Enter the access token of a private app" },
  },
  {
    name: "Salesforce",
    schema: connectionSchema,
    given: { program: "salesforce" },
    required: {
      instance_url: "Enter the address of your Salesforce organisation",
      consumer_key: "Enter the consumer key of a connected app",
      consumer_secret: "Enter the consumer secret of a connected app",
    },
  },
  { name: "list of a program", schema: remoteListSchema, required: { list: "Choose a list" } },
  { name: "setup of a campaign", schema: campaignStepSchemas[1], required: {} },
  { name: "creatives of a campaign", schema: campaignStepSchemas[2], required: {} },
  { name: "audiences of a campaign", schema: campaignStepSchemas[3], required: {} },
  { name: "channels of a campaign", schema: campaignStepSchemas[4], required: {} },
  { name: "budget of a campaign", schema: campaignStepSchemas[5], required: {} },
  { name: "campaign for an advertiser", schema: managedCampaignForm, required: {} },
  {
    name: "review",
    schema: reviewSchema,
    given: { action: "reject" },
    required: {},
  },
  {
    name: "top-up",
    schema: topUpSchema,
    required: { amount: "Enter an amount from $10 to $100,000", payment_method_id: "Unknown id" },
  },
  { name: "payout account", schema: payoutAccountSchema, required: { token: "Choose an account" } },
];

/** What is typed into fields: by chance, and near what the rules allow. */
const typed = fc.oneof(
  fc.string({ minLength: 1 }),
  fc.string({ unit: "grapheme", minLength: 1, maxLength: 12 }),
  fc.string({ unit: fc.constantFrom(..." $-.,0123456789"), minLength: 1, maxLength: 8 }),
  fc.integer({ min: -20, max: 200_000_000 }).map(String),
  fc.float({ min: -5, max: 200, noNaN: true }).map((number) => number.toFixed(2)),
  fc
    .tuple(fc.constantFrom("http", "https", "ftp", ""), fc.constantFrom("://", ":", "//"), fc.domain())
    .map((parts) => parts.join("")),
  fc.integer({ min: 30, max: 5_100 }).map((length) => "é".repeat(length)),
  fc.constantFrom(" ", "2026-02-30", "2026-2-3", "12/31/2026", "a b", " https://example.com "),
);

describe.each(forms)("the browser's checks of the form: $name", ({ schema, given = {}, required }) => {
  const checks = checksOf(schema, given);
  const refusalsOf = (values: Record<string, string>) => {
    const fields = new FormData();
    for (const [name, value] of Object.entries({ ...given, ...values })) fields.set(name, value);
    return { browser: findErrors(fields, checks), server: parseForm(fields, schema).reply().error ?? {} };
  };

  it("say of an empty form what the server says", () => {
    const { browser, server } = refusalsOf({});
    expect(browser).toEqual(Object.fromEntries(Object.entries(required).map(([name, message]) => [name, [message]])));
    expect(server).toMatchObject(browser);
  });

  it("refuse nothing that the server takes, and say the same", () => {
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

  it("travel without a schema", () => {
    expect(JSON.parse(JSON.stringify(checks))).toEqual(checks);
    expect(JSON.stringify(checks).length).toBeLessThan(2_500);
  });
});

describe("the browser's checks", () => {
  it.each([
    ["a company's name", "company_name", "x".repeat(201), "Use at most 200 characters"],
    ["a web address", "website", "example.com", "Enter a web address such as https://www.example.com"],
    ["a budget", "monthly_budget", "much", "Enter an amount in US dollars, 0 or more"],
    ["a count", "monthly_visitors", "1.5", "Enter a whole number, 0 or more"],
  ])("find what is wrong with %s", (_what, name, value, message) => {
    const fields = new FormData();
    fields.set("company_name", "Harbor");
    fields.set(name, value);
    expect(findErrors(fields, checksOf(registrationSchema, { user_type: "publisher" }))).toEqual({ [name]: [message] });
  });

  it("find a number beyond its limits", () => {
    const fields = new FormData();
    fields.set("frequency_cap_impressions", "11");
    const errors = findErrors(fields, checksOf(campaignStepSchemas[3]));
    expect(errors).toEqual({ frequency_cap_impressions: ["Enter a whole number from 1 to 10"] });
  });

  it("count a file of no name as none", () => {
    const fields = new FormData();
    fields.set("file", new File([], ""));
    expect(findErrors(fields, { file: { required: "Choose a file" } })).toEqual({ file: ["Choose a file"] });
    fields.set("file", new File(["a"], "a.csv"));
    expect(findErrors(fields, { file: { required: "Choose a file" } })).toEqual({});
  });

  it("are those of the form that the given fields name", () => {
    expect(() => checksOf(profileForms, { intent: "unknown" })).toThrow("not one of a form");
  });
});

import type { ExampleKind } from "#app/domain/api-keys/example-ids.ts";
import { addDays, type CalendarDate } from "#app/domain/calendar-date.ts";
import type { EndpointInput, EndpointKey } from "../client.ts";

/** What examples are made of: the id of an object of a kind, and today. */
export type ExampleContext = { id: (kind: ExampleKind) => string; today: CalendarDate };

type BodyExamples = {
  [Name in EndpointKey]?: (context: ExampleContext) => NonNullable<EndpointInput<Name>["body"]>;
};

/** An example body for each endpoint that takes one. */
export const bodyExamples: BodyExamples = {
  "POST /api/campaigns": ({ id, today }) => ({
    name: "Spring launch",
    objective: "conversions",
    ad_format: "display",
    landing_url: "https://www.example.com/spring",
    selected_audiences: [id("audience")],
    geolocations: ["us"],
    channel_type: "dsp",
    channels: ["trade_desk"],
    budget: 3_000,
    daily_budget: 100,
    start_date: addDays(today, 7),
    end_date: addDays(today, 36),
  }),
  "PATCH /api/campaigns/{id}": () => ({ name: "Spring launch, second wave", daily_budget: 150 }),
  "POST /api/campaigns/{id}/approve": () => ({ action: "approve", notes: "Welcome to our readers", version: 1 }),
  "POST /api/retailer/campaigns": ({ id, today }) => ({
    advertiser_id: id("advertiser"),
    commission_rate: 70,
    name: "Our picks",
    objective: "conversions",
    ad_format: "display",
    selected_audiences: [id("audience")],
    channel_type: "dsp",
    channels: ["trade_desk"],
    budget: 3_000,
    daily_budget: 100,
    start_date: addDays(today, 7),
    end_date: addDays(today, 36),
  }),
  "POST /api/audiences": () => ({ name: "Repeat buyers", segment: "frequent-buyers", cpm_rate: 7.5 }),
  "PATCH /api/audiences/{id}": () => ({ description: "Bought twice or more in a year", cpm_rate: 8 }),
  "POST /api/audiences/{id}/members": () => ({
    add: [{ email: "jane@example.com" }, { phone: "+16505551212" }],
    remove: [{ email: "john@example.com" }],
  }),
  "POST /api/audiences/reach": ({ id }) => ({ audiences: [id("audience")] }),
  "POST /api/erasures": () => ({ identifiers: ["jane@example.com"] }),
  "POST /api/connections": () => ({ integration: "klaviyo", api_key: "pk_example" }),
  "POST /api/audiences/{id}/list": () => ({ list: "XyZ123" }),
  "POST /api/audiences/{id}/segment": () => ({
    type: "identify",
    traits: { email: "jane@example.com", repeat_buyers: true },
    context: { personas: { computation_class: "audience", computation_key: "repeat_buyers" } },
  }),
  "POST /api/products": () => ({
    name: "Trail tent",
    sku: "TENT-2",
    category: "Tents",
    price: 249.5,
    inventory: 40,
    brand: "Example",
  }),
  "PATCH /api/products/{id}": () => ({ price: 229, inventory: 35 }),
  "POST /api/products/delete": ({ id }) => ({ products: [id("product")] }),
  "POST /api/products/categorize": ({ id }) => ({ products: [id("product")], category: "Tents" }),
  "POST /api/stores": () => ({
    kind: "shopify",
    store_url: "example.myshopify.com",
    client_id: "f3a1example",
    client_secret: "shpss_example",
    frequency: "daily",
  }),
  "PATCH /api/stores/{id}": () => ({ frequency: "hourly" }),
  "POST /api/billing/payment-methods": () => ({ token: "tok_visa" }),
  "POST /api/billing/top-ups": ({ id }) => ({ amount: 500, payment_method_id: id("payment_method") }),
  "POST /api/billing/subscription": () => ({ plan_type: "professional" }),
  "PATCH /api/billing/subscription": () => ({ pay_from: "earnings" }),
  "POST /api/billing/payouts": () => ({}),
  "POST /api/billing/payout-account": () => ({ token: "bank_sandbox" }),
  "POST /api/reports": () => ({ name: "Weekly by campaign", query: "range=30d&group=campaign&channel=dv360" }),
  "PATCH /api/reports/{id}": () => ({ name: "Weekly by campaign and channel" }),
  "POST /api/reports/{id}/schedule": () => ({
    frequency: "weekly",
    weekday: "monday",
    hour: 8,
    time_zone: "Europe/Berlin",
    range: "last_week",
    format: "pdf",
    recipients: ["you@example.com"],
  }),
  "POST /api/webhooks": () => ({ url: "https://www.example.com/endcap", events: ["campaign.approved"] }),
  "POST /api/keys": () => ({ name: "Nightly report" }),
  "POST /api/users/register": () => ({
    user_type: "advertiser",
    company_name: "Juniper Home",
    website: "https://www.example.com",
  }),
  "POST /api/sessions": () => ({ code: "CODE" }),
};

import { z } from "zod";
import { fieldRules } from "../../field-rules.ts";
import { optionalText, patchText, requiredText } from "../../text.ts";
import { hasCredentials, urlCredentialsMessage } from "../../url-credentials.ts";
import { productLimits } from "../product.ts";
import { syncFrequencies } from "./store.ts";

/** Schemas of store payloads. Fields are named as in the JSON API. Credentials are written once and never returned. */
const secret = (message: string) =>
  requiredText({ max: 500, message })
    .refine((text) => !/\s/.test(text), message)
    .register(fieldRules, { patterns: [[/^\s*\S+\s*$/, message]] });

const optionalSecret = (message: string) =>
  optionalText({ max: 500 }).refine((text) => text === null || !/\s/.test(text), message);

const missingClient = "Enter the app's client ID and client secret, or an Admin API access token";

const invalidFeedUrl = "Enter the feed's URL, such as https://shop.example.com/products.xml";

/** https; http is accepted only for this machine, for local testing. */
function storeUrl(message: string) {
  return requiredText({ max: 500, message }).transform((text, ctx): string => {
    const address = /^[a-z]+:\/\//i.test(text) ? text : `https://${text}`;
    const url = URL.canParse(address) ? new URL(address) : undefined;
    const isLocal = url?.protocol === "http:" && ["localhost", "127.0.0.1"].includes(url.hostname);
    if (url && (url.protocol === "https:" || isLocal) && !hasCredentials(url) && url.hostname !== "") {
      return url.origin + url.pathname.replace(/\/+$/, "");
    }
    ctx.addIssue({ code: "custom", message: url && hasCredentials(url) ? urlCredentialsMessage : message });
    return z.NEVER;
  });
}

/** https, or http for this machine alone. The query may hold a key, so the whole URL is stored like a secret. */
const feedUrl = requiredText({ max: 2_000, message: invalidFeedUrl }).transform((text, ctx): string => {
  const url = URL.canParse(text) ? new URL(text) : undefined;
  const isLocal = url?.protocol === "http:" && ["localhost", "127.0.0.1"].includes(url.hostname);
  if (url && (url.protocol === "https:" || isLocal) && !hasCredentials(url) && url.hostname !== "")
    return url.href.replace(/#.*$/, "");
  ctx.addIssue({ code: "custom", message: url && hasCredentials(url) ? urlCredentialsMessage : invalidFeedUrl });
  return z.NEVER;
});

const flag = z
  .union([z.string(), z.boolean()], "Must be true or false")
  .optional()
  .transform((value) => value === true || value === "on" || value === "true");

const settings = {
  frequency: z.enum(syncFrequencies, "Choose a sync schedule").default("daily"),
  derive_sku: flag,
  default_category: optionalText({ max: productLimits.category }),
};

/** `POST /api/stores` and the form: the store's URL and its credentials. */
export const storeSchema = z.discriminatedUnion(
  "kind",
  [
    z
      .object({
        kind: z.literal("shopify"),
        store_url: storeUrl("Enter the store URL, such as example.myshopify.com"),
        client_id: optionalSecret("Enter the app's client ID without spaces"),
        client_secret: optionalSecret("Enter the app's client secret without spaces"),
        access_token: optionalSecret("Enter the access token without spaces"),
        ...settings,
      })
      .superRefine(({ client_id, client_secret, access_token }, ctx) => {
        if (access_token !== null && client_id === null && client_secret === null) return;
        if (client_id !== null && client_secret !== null) return;
        const path = [client_id === null ? "client_id" : "client_secret"];
        ctx.addIssue({ code: "custom", message: missingClient, path });
      }),
    z.object({
      kind: z.literal("woocommerce"),
      store_url: storeUrl("Enter the store URL, such as https://shop.example.com"),
      consumer_key: secret("Enter the consumer key, which begins with ck_"),
      consumer_secret: secret("Enter the consumer secret, which begins with cs_"),
      ...settings,
    }),
    z.object({ kind: z.literal("feed"), store_url: feedUrl, ...settings }),
  ],
  "Choose Shopify, WooCommerce or a product feed",
);
export type NewStore = z.output<typeof storeSchema>;

/** The settings of a store that can be changed without its credentials; the form sends all of them. */
export const storeSettingsSchema = z.object(settings);

/** `PATCH /api/stores/{id}`: absent means unchanged. */
export const storeChangesSchema = z.object({
  frequency: z.enum(syncFrequencies, "Choose a sync schedule").optional(),
  derive_sku: z.boolean("Must be true or false").optional(),
  default_category: patchText({ max: productLimits.category }),
});
export type StoreChanges = z.output<typeof storeChangesSchema>;

/** The encrypted part of a store. */
export const storeCredentialSchema = z.discriminatedUnion("kind", [
  z.object({
    kind: z.literal("shopify"),
    /** Of a custom app that was made by hand before 2026; else the app's client is stored, which gets tokens. */
    accessToken: z.string().optional(),
    client: z.object({ id: z.string(), secret: z.string() }).optional(),
  }),
  z.object({ kind: z.literal("woocommerce"), consumerKey: z.string(), consumerSecret: z.string() }),
  z.object({ kind: z.literal("feed"), url: z.string() }),
]);
export type StoreCredential = z.output<typeof storeCredentialSchema>;

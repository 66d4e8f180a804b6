import { z } from "zod";
import { fieldRules } from "../../field-rules.ts";
import { changedText, optionalText, requiredText } from "../../text.ts";
import { productLimits } from "../product.ts";
import { syncFrequencies } from "./store.ts";

/** What comes in about shops, named as on the wire. Credentials are written once and never read back. */
const secret = (message: string) =>
  requiredText({ max: 500, message })
    .refine((text) => !/\s/.test(text), message)
    .register(fieldRules, { patterns: [[/^\s*\S+\s*$/, message]] });

/** https, and for trying things out http on this machine. */
function shopAddress(message: string) {
  return requiredText({ max: 500, message }).transform((text, ctx): string => {
    const address = /^[a-z]+:\/\//i.test(text) ? text : `https://${text}`;
    const url = URL.canParse(address) ? new URL(address) : undefined;
    const isLocal = url?.protocol === "http:" && ["localhost", "127.0.0.1"].includes(url.hostname);
    if (url && (url.protocol === "https:" || isLocal) && !url.username && !url.password && url.hostname !== "") {
      return url.origin + url.pathname.replace(/\/+$/, "");
    }
    ctx.addIssue({ code: "custom", message });
    return z.NEVER;
  });
}

const flag = z
  .union([z.string(), z.boolean()])
  .optional()
  .transform((value) => value === true || value === "on" || value === "true");

const settings = {
  frequency: z.enum(syncFrequencies, "Choose how often").default("daily"),
  derive_sku: flag,
  default_category: optionalText({ max: productLimits.category }),
};

/** `POST /api/stores`, and the form: where the shop is, and what opens it. */
export const storeSchema = z.discriminatedUnion(
  "kind",
  [
    z.object({
      kind: z.literal("shopify"),
      shop_url: shopAddress("Enter the shop's address, such as example.myshopify.com"),
      access_token: secret("Enter the Admin API access token of a custom app"),
      ...settings,
    }),
    z.object({
      kind: z.literal("woocommerce"),
      shop_url: shopAddress("Enter the shop's address, such as https://shop.example.com"),
      consumer_key: secret("Enter the consumer key, which begins with ck_"),
      consumer_secret: secret("Enter the consumer secret, which begins with cs_"),
      ...settings,
    }),
  ],
  "Choose Shopify or WooCommerce",
);
export type NewStore = z.output<typeof storeSchema>;

/** What of a shop can be changed without its credentials; a form owns all of it. */
export const storeSettingsSchema = z.object(settings);

/** `PATCH /api/stores/{id}`: absent means unchanged. */
export const storeChangesSchema = z.object({
  frequency: z.enum(syncFrequencies, "Choose how often").optional(),
  derive_sku: z.boolean("Send true or false").optional(),
  default_category: changedText({ max: productLimits.category }),
});
export type StoreChanges = z.output<typeof storeChangesSchema>;

/** What is sealed of a shop. */
export const credentialSchema = z.discriminatedUnion("kind", [
  z.object({ kind: z.literal("shopify"), accessToken: z.string() }),
  z.object({ kind: z.literal("woocommerce"), consumerKey: z.string(), consumerSecret: z.string() }),
]);
export type StoreCredential = z.output<typeof credentialSchema>;

import { z } from "zod";
import { pullIntegrations } from "#app/domain/audiences/data-source.ts";
import { fieldRules } from "#app/domain/field-rules.ts";
import { requiredText } from "#app/domain/text.ts";

/**
 * Schemas of connection payloads. Fields are named as in the JSON API. A credential is written once and never returned.
 */
const secret = (message: string) =>
  requiredText({ max: 500, message })
    .refine((text) => !/\s/.test(text), message)
    .register(fieldRules, { patterns: [[/^\s*\S+\s*$/, message]] });
const invalidUrlMessage = "Enter a URL, such as https://example.my.salesforce.com";

export const connectionSchema = z.discriminatedUnion(
  "integration",
  [
    z.object({ integration: z.literal("klaviyo"), api_key: secret("Enter a Klaviyo private API key") }),
    z.object({ integration: z.literal("hubspot"), access_token: secret("Enter a HubSpot Service Key") }),
    z.object({
      integration: z.literal("salesforce"),
      instance_url: requiredText({ max: 500, message: "Enter your Salesforce URL" })
        .transform((text, ctx): string => {
          const url = URL.canParse(text) ? new URL(text) : undefined;
          const local = url?.protocol === "http:" && ["localhost", "127.0.0.1"].includes(url.hostname);
          if (url && (url.protocol === "https:" || local) && !url.username && !url.password) return url.origin;
          ctx.addIssue({ code: "custom", message: invalidUrlMessage });
          return z.NEVER;
        })
        .register(fieldRules, { patterns: [[/^\s*https?:/, invalidUrlMessage]] }),
      consumer_key: secret("Enter the connected app's consumer key"),
      consumer_secret: secret("Enter the connected app's consumer secret"),
    }),
  ],
  "Choose an integration",
);
export type NewConnection = z.output<typeof connectionSchema>;

export const integrationSchema = z.enum(pullIntegrations, "Choose an integration");

/** Selects the integration's list that holds an audience's people. */
export const remoteListSchema = z.object({ list: requiredText({ max: 200, message: "Choose a list" }) });

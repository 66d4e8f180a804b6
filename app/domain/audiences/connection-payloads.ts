import { z } from "zod";
import { fieldRules } from "../field-rules.ts";
import { requiredText } from "../text.ts";
import { programs } from "./data-source.ts";

/** What comes in about connections, named as on the wire. A credential is written once and never read back. */
const secret = (message: string) =>
  requiredText({ max: 500, message })
    .refine((text) => !/\s/.test(text), message)
    .register(fieldRules, { patterns: [[/^\s*\S+\s*$/, message]] });
const noAddress = "Enter an address such as https://example.my.salesforce.com";

export const connectionSchema = z.discriminatedUnion(
  "program",
  [
    z.object({ program: z.literal("klaviyo"), api_key: secret("Enter a private API key of Klaviyo") }),
    z.object({ program: z.literal("hubspot"), access_token: secret("Enter the access token of a private app") }),
    z.object({
      program: z.literal("salesforce"),
      instance_url: requiredText({ max: 500, message: "Enter the address of your Salesforce organisation" })
        .transform((text, ctx): string => {
          const url = URL.canParse(text) ? new URL(text) : undefined;
          const local = url?.protocol === "http:" && ["localhost", "127.0.0.1"].includes(url.hostname);
          if (url && (url.protocol === "https:" || local) && !url.username && !url.password) return url.origin;
          ctx.addIssue({ code: "custom", message: noAddress });
          return z.NEVER;
        })
        .register(fieldRules, { patterns: [[/^\s*https?:/, noAddress]] }),
      consumer_key: secret("Enter the consumer key of a connected app"),
      consumer_secret: secret("Enter the consumer secret of a connected app"),
    }),
  ],
  "Choose a program",
);
export type NewConnection = z.output<typeof connectionSchema>;

export const programSchema = z.enum(programs, "Choose a program");

/** Which list of the program an audience's people are in. */
export const remoteListSchema = z.object({ list: requiredText({ max: 200, message: "Choose a list" }) });

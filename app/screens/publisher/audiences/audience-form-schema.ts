import { z } from "zod";
import { audienceSchema } from "#app/domain/audiences/audience-payloads.ts";
import { textEncodingField } from "#app/sheets/text/encoding-field.ts";

export const audienceMethods = ["file", "api", "direct"] as const;
export type AudienceMethod = (typeof audienceMethods)[number];

/** The forms that create and edit an audience own all of its fields: an empty field is cleared. */
export const audienceFormSchema = audienceSchema.extend({
  idempotency_key: z.string().max(200).optional().catch(undefined),
});

/** `files=later`: a script uploads the files once the audience exists. */
export const newAudienceFormSchema = audienceFormSchema.extend({
  include_opt_outs: z.literal("on").optional().catch(undefined),
  encoding: textEncodingField.catch(undefined),
  files: z.literal("later").optional().catch(undefined),
});

import { z } from "zod";
import { audienceSchema } from "#app/domain/audiences/audience-payloads.ts";

export const audienceMethods = ["file", "api", "direct"] as const;
export type AudienceMethod = (typeof audienceMethods)[number];

/** The forms that make and change an audience own all of its fields: an empty one is cleared. */
export const audienceForm = audienceSchema.extend({ idempotency_key: z.string().max(200).optional().catch(undefined) });

/** `files=later`: a script sends the files once the audience is there. */
export const newAudienceForm = audienceForm.extend({ files: z.literal("later").optional().catch(undefined) });

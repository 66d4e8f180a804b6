import { z } from "zod";
import { profileSchema } from "#app/domain/accounts/account-payloads.ts";
import { apiKeySchema } from "#app/domain/api-keys/api-key.ts";
import { type ApiKeyId, idSchema } from "#app/domain/ids.ts";
import { mailSettingsSchema } from "#app/domain/notifications/mail-settings-payloads.ts";

/** The forms of the profile page, distinguished by button. */
export const profileActionSchema = z.discriminatedUnion("intent", [
  profileSchema.extend({ intent: z.literal("save-profile") }),
  apiKeySchema.extend({ intent: z.literal("create-key"), idempotency_key: z.string().max(200).optional() }),
  mailSettingsSchema.extend({ intent: z.literal("save-mails") }),
  z.object({ intent: z.literal("revoke-key"), id: idSchema<ApiKeyId>() }),
]);

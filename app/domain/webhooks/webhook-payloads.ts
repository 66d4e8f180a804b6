import { z } from "zod";
import { fieldRules } from "../field-rules.ts";
import { requiredText } from "../text.ts";
import { hasCredentials, urlCredentialsMessage } from "../url-credentials.ts";
import { webhookEvents } from "./webhook-events.ts";

const urlMessage = "Enter a URL that begins with https://";

/**
 * The URL that events are sent to. Whether the host may be contacted is decided at connection time
 * (docs/decisions/0013).
 */
const urlSchema = requiredText({ max: 2_000, message: urlMessage })
  .transform((text, ctx): string => {
    const url = URL.canParse(text) ? new URL(text) : undefined;
    if (url && /^https?:$/.test(url.protocol) && !hasCredentials(url)) {
      url.hash = "";
      return url.href;
    }
    ctx.addIssue({
      code: "custom",
      message: url && hasCredentials(url) ? urlCredentialsMessage : urlMessage,
    });
    return z.NEVER;
  })
  .register(fieldRules, { patterns: [[/^\s*https?:/, urlMessage]] });

/** The body of `POST /api/webhooks`, and the form. */
export const webhookSchema = z.object({
  url: urlSchema,
  events: z
    .array(z.enum(webhookEvents, "Unknown event. Choose events from the list."), "Choose at least one event")
    .min(1, "Choose at least one event")
    .max(100, "Choose each event once")
    .transform((events) => [...new Set(events)]),
});
export type NewWebhook = z.output<typeof webhookSchema>;

import { z } from "zod";
import { fieldRules } from "../field-rules.ts";
import { requiredText } from "../text.ts";
import { webhookEvents } from "./webhook-events.ts";

const noAddress = "Enter an address that begins with https://";

/** Where events are sent. Whether it may be asked at all is for the connection to say (docs/decisions/0013). */
const address = requiredText({ max: 2_000, message: noAddress })
  .transform((text, ctx): string => {
    const url = URL.canParse(text) ? new URL(text) : undefined;
    if (url && /^https?:$/.test(url.protocol) && !url.username && !url.password) {
      url.hash = "";
      return url.href;
    }
    ctx.addIssue({ code: "custom", message: url?.username ? "Leave name and password out of the address" : noAddress });
    return z.NEVER;
  })
  .register(fieldRules, { patterns: [[/^\s*https?:/, noAddress]] });

/** `POST /api/webhooks`, and the form. */
export const webhookSchema = z.object({
  url: address,
  events: z
    .array(z.enum(webhookEvents, "There is no such event"), "Choose at least one event")
    .min(1, "Choose at least one event")
    .max(100, "Choose each event once")
    .transform((events) => [...new Set(events)]),
});
export type NewWebhook = z.output<typeof webhookSchema>;

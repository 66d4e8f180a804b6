import { createHmac } from "node:crypto";
import { newSecret } from "../accounts/secrets.server.ts";
import type { AccountId, WebhookId } from "../ids.ts";

/** A new webhook's secret: 256 random bits behind a mark that tells what it is. */
export function newWebhookSecret(): string {
  return `whsec_${newSecret()}`;
}

/** Where a webhook's secret is sealed for: a copy in another row cannot be opened. */
export function placeOf({ id, accountId }: { id: WebhookId; accountId: AccountId }): string {
  return `webhooks/${accountId}/${id}`;
}

/** `t=SECONDS,v1=HEX`: the HMAC-SHA256 under the secret of the seconds, a dot, and the body as it is sent. */
export function signatureOf({ secret, body, at }: { secret: string; body: string; at: Date }): string {
  const seconds = Math.floor(at.getTime() / 1000);
  return `t=${seconds},v1=${createHmac("sha256", secret).update(`${seconds}.${body}`).digest("hex")}`;
}

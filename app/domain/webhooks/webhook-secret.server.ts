import { createHmac } from "node:crypto";
import { newSecret } from "../accounts/secrets.server.ts";
import type { AccountId, WebhookId } from "../ids.ts";

/** Returns a new webhook secret: 256 random bits after a prefix that identifies the kind of secret. */
export function newWebhookSecret(): string {
  return `whsec_${newSecret()}`;
}

/** The encryption context of a webhook's secret: a copy in another row cannot be decrypted. */
export function webhookEncryptionContext({ id, accountId }: { id: WebhookId; accountId: AccountId }): string {
  return `webhooks/${accountId}/${id}`;
}

/**
 * Returns `t=SECONDS,v1=HEX`, with a `v1` for each secret in their order: the HMAC-SHA256 with the secret over the
 * seconds, a dot, and the body.
 */
export function signWebhookBody({ secrets, body, at }: { secrets: readonly string[]; body: string; at: Date }): string {
  const seconds = Math.floor(at.getTime() / 1000);
  const sign = (secret: string) => createHmac("sha256", secret).update(`${seconds}.${body}`).digest("hex");
  return [`t=${seconds}`, ...secrets.map((secret) => `v1=${sign(secret)}`)].join(",");
}

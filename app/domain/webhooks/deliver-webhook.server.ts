import { DecryptionError, decrypt } from "#app/encryption.server.ts";
import { OutboundError, type OutboundProblem } from "#app/outbound/outbound-error.ts";
import { type OutboundRequest, sendOutbound } from "#app/outbound/send-outbound.server.ts";
import { appName } from "../branding.ts";
import type { Ctx, JobActor } from "../context.ts";
import type { WebhookDeliveryId } from "../ids.ts";
import {
  type ClaimedDelivery,
  claimWebhookDelivery,
  type DeliveryFailure,
  failWebhookDelivery,
  markWebhookDelivered,
} from "./claim-webhook-delivery.server.ts";
import { signWebhookBody, webhookEncryptionContext } from "./webhook-secret.server.ts";

/** Options of the outbound request. Tests send to this machine and use shorter timeouts. */
export type DeliveryOptions = Pick<OutboundRequest, "allowPrivate" | "timeoutMs" | "lookup">;

/** Only the status of a response matters; its body is read up to this many bytes and discarded. */
const maxResponseBytes = 64 * 1024;

/**
 * Sends a delivery, once: the worker that claims it sends it. A 2xx response means delivered; otherwise the delivery is
 * retried, up to eight attempts within a day.
 */
export async function deliverWebhook(
  ctx: Ctx<JobActor>,
  { id, sending: options = {} }: { id: WebhookDeliveryId; sending?: DeliveryOptions | undefined },
): Promise<void> {
  const delivery = await claimWebhookDelivery(ctx, id);
  if (!delivery) return;
  const outcome = await send(ctx, delivery, options);
  if (typeof outcome === "number") await markWebhookDelivered(ctx, delivery, outcome);
  else await failWebhookDelivery(ctx, delivery, outcome);
}

async function send(
  ctx: Ctx<JobActor>,
  delivery: ClaimedDelivery,
  options: DeliveryOptions,
): Promise<number | DeliveryFailure> {
  const { webhook, eventId, event, body } = delivery;
  if (webhook.state !== "active") return finalFailure("The webhook is disabled");
  if (delivery.accountStatus !== "approved") return finalFailure("The account is suspended");
  try {
    const at = ctx.clock();
    const secrets = decryptSecrets(webhook, at);
    const { status } = await sendOutbound({
      url: webhook.url,
      method: "POST",
      body,
      bytes: maxResponseBytes,
      ...options,
      headers: {
        "Content-Type": "application/json; charset=utf-8",
        "User-Agent": `${appName}-Webhooks/1`,
        [`${appName}-Event`]: event,
        [`${appName}-Event-Id`]: eventId,
        [`${appName}-Timestamp`]: String(Math.floor(at.getTime() / 1000)),
        [`${appName}-Signature`]: signWebhookBody({ secrets, body, at }),
      },
    });
    return status >= 200 && status < 300 ? status : { status, message: describeStatus(status), isFinal: false };
  } catch (error) {
    if (error instanceof OutboundError)
      return { status: null, message: problemMessages[error.problem], isFinal: false };
    if (error instanceof DecryptionError)
      return finalFailure("The webhook secret can't be decrypted. Rotate the secret of this webhook.");
    throw error;
  }
}

/**
 * Returns the secrets that sign: the current one, then the previous one until it expires. Throws a DecryptionError for
 * the current one. A previous one that cannot be decrypted is left out: its rotation is what made deliveries possible
 * again.
 */
function decryptSecrets(webhook: ClaimedDelivery["webhook"], at: Date): string[] {
  const place = webhookEncryptionContext(webhook);
  const current = decrypt(webhook.secret, place);
  const { previousSecret, previousSecretExpiresAt } = webhook;
  if (!previousSecret || !previousSecretExpiresAt || previousSecretExpiresAt <= at) return [current];
  try {
    // Last, because verifiers that read the header into a map keep the last one (docs/decisions/0125).
    return [current, decrypt(previousSecret, place)];
  } catch (error) {
    if (error instanceof DecryptionError) return [current];
    throw error;
  }
}

function finalFailure(message: string): DeliveryFailure {
  return { status: null, message, isFinal: true };
}

function describeStatus(status: number): string {
  return status >= 300 && status < 400
    ? `Your server responded with a redirect (${status}). Redirects are not followed.`
    : `Your server responded with ${status}`;
}

const problemMessages: Record<OutboundProblem, string> = {
  refused_address: "The URL points to a private network",
  unreachable: "Your server could not be reached or closed the connection",
  timed_out: "Your server did not respond in time",
  too_large: "The response was larger than 64 KB",
  malformed_url: "The URL is not valid",
  unreadable: "The response could not be read",
};

import { OutboundError, type OutboundProblem } from "#app/outbound/outbound-error.ts";
import { type OutboundRequest, sendOutbound } from "#app/outbound/send-outbound.server.ts";
import { SealError, unseal } from "#app/sealed.server.ts";
import type { Ctx, JobActor } from "../context.ts";
import type { WebhookDeliveryId } from "../ids.ts";
import { productName } from "../product.ts";
import {
  endWebhookDelivery,
  type Failure,
  failWebhookDelivery,
  type TakenDelivery,
  takeWebhookDelivery,
} from "./take-webhook-delivery.server.ts";
import { placeOf, signatureOf } from "./webhook-secret.server.ts";

/** How a receiver is asked; tests ask those of this machine, and wait less. */
export type Sending = Pick<OutboundRequest, "allowPrivate" | "milliseconds" | "lookup">;

/** An answer is a status: what else it holds is read to its end and forgotten. */
const mostBytes = 64 * 1024;

/**
 * Sends a delivery, once: whoever takes it sends it. Any 2xx is that it was taken; else it is tried again later, eight times in all
 * within a day.
 */
export async function deliverWebhook(
  ctx: Ctx<JobActor>,
  { id, sending = {} }: { id: WebhookDeliveryId; sending?: Sending | undefined },
): Promise<void> {
  const delivery = await takeWebhookDelivery(ctx, id);
  if (!delivery) return;
  const outcome = await send(ctx, delivery, sending);
  if (typeof outcome === "number") await endWebhookDelivery(ctx, delivery, outcome);
  else await failWebhookDelivery(ctx, delivery, outcome);
}

async function send(ctx: Ctx<JobActor>, delivery: TakenDelivery, sending: Sending): Promise<number | Failure> {
  const { webhook, eventId, event, body } = delivery;
  if (webhook.state !== "active") return refusal("The webhook is switched off");
  if (delivery.accountStatus !== "approved") return refusal("The account is suspended");
  try {
    const at = ctx.clock();
    const secret = unseal(webhook.secret, placeOf(webhook));
    const { status } = await sendOutbound({
      url: webhook.url,
      method: "POST",
      body,
      bytes: mostBytes,
      ...sending,
      headers: {
        "Content-Type": "application/json; charset=utf-8",
        "User-Agent": `${productName}-Webhooks/1`,
        [`${productName}-Event`]: event,
        [`${productName}-Event-Id`]: eventId,
        [`${productName}-Timestamp`]: String(Math.floor(at.getTime() / 1000)),
        [`${productName}-Signature`]: signatureOf({ secret, body, at }),
      },
    });
    return status >= 200 && status < 300 ? status : { status, message: wordsOfStatus(status), isFinal: false };
  } catch (error) {
    if (error instanceof OutboundError) return { status: null, message: problemWords[error.problem], isFinal: false };
    if (error instanceof SealError) return refusal("The secret was sealed with another key: make a new webhook");
    throw error;
  }
}

function refusal(message: string): Failure {
  return { status: null, message, isFinal: true };
}

function wordsOfStatus(status: number): string {
  return status >= 300 && status < 400
    ? `The server answered with a redirect (${status}), which is not followed`
    : `The server answered ${status}`;
}

const problemWords: Record<OutboundProblem, string> = {
  refused_address: "The address leads into a private net",
  unreachable: "The server could not be reached, or broke off",
  timed_out: "The server did not answer in time",
  too_large: "The answer was larger than 64 KB",
  malformed_url: "The address cannot be asked",
  unreadable: "The answer could not be read",
};

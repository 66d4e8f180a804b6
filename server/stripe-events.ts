import type { Request, RequestHandler } from "express";
import { receiveStripeEvent } from "#app/domain/billing/payments/events/receive-stripe-event.server.ts";
import { DomainError } from "#app/domain/errors.ts";
import type { Env } from "#app/env.server.ts";
import { log, report } from "#app/web/log.server.ts";
import { database } from "#db/client.server.ts";
import { answerPlainly } from "./plain-answer.ts";

export const stripeEventsPath = "/api/stripe-events";

/**
 * Stripe's messages, read as they came, since their signature is over the bytes. 200: done, or known, or about nothing of ours; 400: not
 * signed by Stripe, or too old; 503: Stripe shall send it again. Where Stripe takes no payments there is nothing here.
 */
export function stripeEvents(env: Env): RequestHandler {
  return async (request, response, next) => {
    if (env.payments !== "stripe" || request.method !== "POST") return next();
    const requestId = String(response.locals.requestId);
    try {
      const body = await bodyOf(request);
      const signature = request.get("Stripe-Signature") ?? "";
      const actor = { kind: "job", name: "Stripe" } as const;
      const ctx = { db: database(), clock: () => new Date(), actor, door: "api", requestId, report } as const;
      const { type, done, alarm } = await receiveStripeEvent(ctx, { body, signature });
      log[alarm ? "error" : "info"](alarm ? "look at this payment" : "payment provider told", {
        requestId,
        code: type,
      });
      if (!response.headersSent) response.json({ received: true, done });
    } catch (error) {
      if (response.headersSent) return log.error("payment event failed", { requestId, error });
      if (!(error instanceof DomainError)) return next(error);
      const [status, code] = error.code === "invalid_input" ? [400, "malformed"] : [503, "unavailable"];
      const headers = status === 503 ? { "Retry-After": "60" } : undefined;
      answerPlainly(request, response, { status, code, message: error.message, headers });
    }
  };
}

/** From the first byte on: the limit on bodies has them flowing already. */
function bodyOf(request: Request): Promise<Buffer> {
  return new Promise((resolve, reject) => {
    const chunks: Buffer[] = [];
    request.on("data", (chunk: Buffer) => chunks.push(chunk));
    request.on("end", () => resolve(Buffer.concat(chunks)));
    request.on("error", reject);
  });
}

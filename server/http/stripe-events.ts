import type { RequestHandler } from "express";
import { receiveStripeEvent } from "#app/domain/billing/provider-events/receive-stripe-event.server.ts";
import { DomainError } from "#app/domain/errors.ts";
import type { Env } from "#app/env.server.ts";
import { log, report } from "#app/web/log.server.ts";
import { database } from "#db/client.server.ts";
import { sendPlainResponse } from "./plain-response.ts";
import { readBody } from "./read-body.ts";

export const stripeEventsPath = "/api/stripe-events";

/**
 * Handles Stripe's webhook events, with the raw body, because the signature covers its bytes. 200: processed, already
 * known, or not about this product; 400: invalid signature or too old; 503: Stripe should retry. Passes the request on
 * if Stripe is not configured.
 */
export function handleStripeEvents(env: Env): RequestHandler {
  return async (request, response, next) => {
    if (env.payments !== "stripe" || request.method !== "POST") return next();
    const requestId = String(response.locals.requestId);
    try {
      const body = await readBody(request);
      if (response.headersSent) return;
      const signature = request.get("Stripe-Signature") ?? "";
      const actor = { kind: "job", name: "Stripe" } as const;
      const ctx = {
        db: database({ requestId }),
        clock: () => new Date(),
        actor,
        entrypoint: "api",
        requestId,
        report,
      } as const;
      const { type, done, needsAttention } = await receiveStripeEvent(ctx, { body, signature });
      log[needsAttention ? "error" : "info"](needsAttention ? "payment needs review" : "payment event received", {
        requestId,
        code: type,
      });
      if (!response.headersSent) response.json({ received: true, done });
    } catch (error) {
      if (response.headersSent) return log.error("payment event failed", { requestId, error });
      if (!(error instanceof DomainError)) return next(error);
      const [status, code] = error.code === "invalid_input" ? [400, "malformed"] : [503, "unavailable"];
      const headers = status === 503 ? { "Retry-After": "60" } : undefined;
      sendPlainResponse(request, response, { status, code, message: error.message, headers });
    }
  };
}

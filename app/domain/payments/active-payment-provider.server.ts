import type { PaymentProvider } from "#app/domain/payments/payment-provider.ts";
import { activePaymentProvider } from "#app/domain/payments/payment-provider-name.server.ts";
import { stripeProvider } from "#app/domain/payments/stripe/stripe-provider.server.ts";
import type { VisitorCtx } from "../context.ts";
import { DomainError } from "../errors.ts";
import { sandboxProvider } from "./sandbox/sandbox-provider.server.ts";
import { stripeCustomers } from "./stripe/stripe-customers.server.ts";

/** Returns the payment provider of this installation. Throws `unavailable` when none is configured. */
export function paymentProvider(ctx: Pick<VisitorCtx, "db" | "clock">): PaymentProvider {
  switch (activePaymentProvider()) {
    case "stripe":
      return stripeProvider({ customers: stripeCustomers(ctx), clock: ctx.clock });
    case "sandbox":
      return sandboxProvider(ctx);
    case "none":
      throw new DomainError("unavailable", "No payment provider is connected yet, so you can't make payments.");
  }
}

/** Returns whether a payment provider is configured; screens show a notice otherwise. */
export function arePaymentsSetUp(): boolean {
  return activePaymentProvider() !== "none";
}

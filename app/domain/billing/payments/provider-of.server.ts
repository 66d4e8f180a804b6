import type { PaymentProvider } from "#app/payments/payment-provider.ts";
import { paymentsBy } from "#app/payments/payments-by.server.ts";
import { stripeProvider } from "#app/payments/stripe/stripe-provider.server.ts";
import type { VisitorCtx } from "../../context.ts";
import { DomainError } from "../../errors.ts";
import { stripeCustomers } from "./payment-customers.server.ts";
import { sandboxProvider } from "./sandbox-provider.server.ts";

/** Who takes money here. Throws `unavailable` where nobody does. */
export function paymentProvider(ctx: Pick<VisitorCtx, "db" | "clock">): PaymentProvider {
  switch (paymentsBy()) {
    case "stripe":
      return stripeProvider({ customers: stripeCustomers(ctx), clock: ctx.clock });
    case "sandbox":
      return sandboxProvider(ctx);
    case "none":
      throw new DomainError("unavailable", "Payments are not set up here. Nothing can be paid yet.");
  }
}

/** Whether anybody takes money here: else screens say so. */
export function arePaymentsSetUp(): boolean {
  return paymentsBy() !== "none";
}

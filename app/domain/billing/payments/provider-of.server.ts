import type { PaymentProvider } from "#app/payments/payment-provider.ts";
import type { VisitorCtx } from "../../context.ts";
import { sandboxProvider } from "./sandbox-provider.server.ts";

/** Who takes money here. */
export function paymentProvider(ctx: Pick<VisitorCtx, "db" | "clock">): PaymentProvider {
  return sandboxProvider(ctx);
}

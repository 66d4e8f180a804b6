import type { Charge, ChargeRequest } from "#app/payments/payment-provider.ts";
import { SealError } from "#app/sealed.server.ts";
import type { VisitorCtx } from "../../context.ts";
import { askProvider } from "./ask-provider.server.ts";
import { addedElsewhere, methodName } from "./payment-method.ts";
import { type PaymentMethodRow, tokenOf } from "./payment-method-rows.server.ts";
import { paymentProvider } from "./provider-of.server.ts";

/**
 * Takes money by a way to pay. The same `key` again is the same charge, so that it may be asked again when nobody knows what
 * came of it. What cannot be asked for at all (removed, of another provider, sealed with another key) is declined in words.
 * Called outside any transaction, since the answer may take seconds. Throws `unavailable`.
 */
export async function chargeMethod(
  ctx: Pick<VisitorCtx, "db" | "clock">,
  method: PaymentMethodRow,
  request: Omit<ChargeRequest, "token">,
): Promise<Charge> {
  const provider = paymentProvider(ctx);
  const decline = (reason: string): Charge => ({ state: "declined", paymentId: null, reason });
  if (!method.token) return decline("This payment method has to be added again.");
  if (method.provider !== provider.name) return decline(`${methodName(method)} cannot be charged. ${addedElsewhere}`);
  try {
    const token = tokenOf(method);
    return await askProvider(() => provider.charge({ ...request, token }));
  } catch (error) {
    if (error instanceof SealError) return decline("This payment method has to be added again.");
    throw error;
  }
}

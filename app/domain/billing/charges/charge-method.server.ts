import { methodName, otherProviderMessage } from "#app/domain/billing/payment-methods/payment-method.ts";
import {
  decryptMethodToken,
  decryptTokenIfPossible,
  isUsable,
  type PaymentMethodRow,
} from "#app/domain/billing/payment-methods/payment-method-rows.server.ts";
import type { VisitorCtx } from "#app/domain/context.ts";
import { paymentProvider } from "#app/domain/payments/active-payment-provider.server.ts";
import type { Charge, ChargeRequest } from "#app/domain/payments/payment-provider.ts";
import { DecryptionError } from "#app/encryption.server.ts";
import { callProvider } from "./call-provider.server.ts";

/**
 * Charges a payment method. The same `key` means the same charge, so that it can be requested again after a lost
 * response. A method that cannot be charged (removed, of another provider, encrypted with a lost key) is declined with
 * a reason for the user. Call it outside any transaction, because the response can take seconds. Throws `unavailable`.
 */
export async function chargeMethod(
  ctx: Pick<VisitorCtx, "db" | "clock">,
  method: PaymentMethodRow,
  request: Omit<ChargeRequest, "token">,
): Promise<Charge> {
  const provider = paymentProvider(ctx);
  const decline = (reason: string): Charge => ({ state: "declined", paymentId: null, reason });
  if (!method.token) return decline("This payment method is no longer valid. Add it again.");
  if (method.provider !== provider.name)
    return decline(`${methodName(method)} can't be charged. ${otherProviderMessage}`);
  try {
    const token = decryptMethodToken(method);
    return await callProvider(() => provider.charge({ ...request, token }));
  } catch (error) {
    if (error instanceof DecryptionError) return decline("This payment method is no longer valid. Add it again.");
    throw error;
  }
}

/**
 * Reads a charge of a payment method whose outcome is not stored yet. The user is asked to confirm it if the bank wants
 * that, as after `chargeMethod`, unless the method was removed. Throws `unavailable`.
 */
export async function readMethodCharge(
  ctx: Pick<VisitorCtx, "db" | "clock">,
  method: PaymentMethodRow,
  { paymentId, ...request }: Omit<ChargeRequest, "token"> & { paymentId: string },
): Promise<Charge> {
  const token = isUsable(method) ? decryptTokenIfPossible(method) : undefined;
  return callProvider(() => paymentProvider(ctx).readCharge(paymentId, token ? { ...request, token } : undefined));
}

import { methodName, otherProviderMessage } from "#app/domain/billing/payment-methods/payment-method.ts";
import {
  decryptMethodToken,
  decryptTokenIfPossible,
  isUsable,
  type PaymentMethodRow,
} from "#app/domain/billing/payment-methods/payment-method-rows.server.ts";
import type { ReportCtx, VisitorCtx } from "#app/domain/context.ts";
import { paymentProvider } from "#app/domain/payments/active-payment-provider.server.ts";
import { type Charge, type ChargeRequest, PaymentConfigurationError } from "#app/domain/payments/payment-provider.ts";
import { reportError } from "#app/domain/report-error.ts";
import { DecryptionError } from "#app/encryption.server.ts";
import { callProvider, paymentsUnavailable } from "./call-provider.server.ts";

/**
 * Charges a payment method. The same `key` means the same charge, so that it can be requested again after a lost
 * response. A method that cannot be charged (removed, of another provider, encrypted with a lost key) is declined with
 * a reason for the user. So is a charge that the user asked for and that the provider rejects for our configuration;
 * nobody would expect it to be made days later. One without a user stays open until the configuration is mended. Both
 * are reported. Call it outside any transaction, because the response can take seconds. Throws `unavailable`.
 */
export async function chargeMethod(
  ctx: Pick<VisitorCtx, "db" | "clock"> & ReportCtx,
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
    const fault = error instanceof Error && error.cause instanceof PaymentConfigurationError ? error.cause : undefined;
    if (fault) reportError(ctx, fault, { work: "charge_method" });
    if (fault?.isUncharged && !request.offSession) return decline(`You were not charged. ${paymentsUnavailable}`);
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

import { DomainError } from "#app/domain/errors.ts";
import { PaymentConfigurationError, PaymentProviderError } from "#app/domain/payments/payment-provider.ts";

/** What people read when only the operator can make payments work again. */
export const paymentsUnavailable = "Payments are unavailable right now. Try again later.";

/**
 * Calls the payment provider and returns its response. Throws `unavailable` when the provider does not respond; the
 * requested operation may or may not have happened.
 */
export async function callProvider<T>(call: () => Promise<T>): Promise<T> {
  try {
    return await call();
  } catch (error) {
    if (!(error instanceof PaymentProviderError)) throw error;
    const message =
      error instanceof PaymentConfigurationError
        ? paymentsUnavailable
        : "The payment provider is not responding. Try again in a few minutes.";
    throw new DomainError("unavailable", message, { retryAfterSeconds: 60, cause: error });
  }
}

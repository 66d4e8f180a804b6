import { PaymentProviderError } from "#app/payments/payment-provider.ts";
import { DomainError } from "../../errors.ts";

/** What the provider answers. Throws `unavailable` when it gives no answer: then what was asked may have happened, or not. */
export async function askProvider<T>(ask: () => Promise<T>): Promise<T> {
  try {
    return await ask();
  } catch (error) {
    if (!(error instanceof PaymentProviderError)) throw error;
    const message = "The payment provider does not answer at the moment. Try again in a few minutes.";
    throw new DomainError("unavailable", message, { retryAfterSeconds: 60, cause: error });
  }
}

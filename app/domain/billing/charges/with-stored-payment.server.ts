import type { Ctx } from "#app/domain/context.ts";
import { DomainError } from "#app/domain/errors.ts";
import { reportError } from "#app/domain/report-error.ts";

/**
 * Returns a payment with its outcome, for a page. While the provider does not respond, returns the payment as it is
 * stored: a job reads its outcome, and a page that offered to pay again would charge twice.
 */
export async function withStoredPayment<T>(
  ctx: Ctx,
  { finish, stored }: Record<"finish" | "stored", () => Promise<T>>,
): Promise<T> {
  try {
    return await finish();
  } catch (error) {
    if (!(error instanceof DomainError && error.code === "unavailable")) throw error;
    reportError(ctx, error.cause ?? error, { work: "finish_payment" });
    return stored();
  }
}

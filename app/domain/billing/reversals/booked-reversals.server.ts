import { asc, eq } from "drizzle-orm";
import type { Ctx } from "#app/domain/context.ts";
import type { PlanChangeId, TopUpId } from "#app/domain/ids.ts";
import { asCents, type Cents } from "#app/domain/money.ts";
import { paymentReversals } from "#db/schema/index.ts";
import type { BookedReversal } from "./reversal.ts";

/** A payment that can be reversed: a top-up, which also pays invoices, or a plan payment. */
export type ReversedPayment =
  | { topUpId: TopUpId; planChangeId?: undefined }
  | { planChangeId: PlanChangeId; topUpId?: undefined };

/**
 * Reads the posted amount of each dispute and refund of a payment, and the amount by which they reopened its invoice,
 * in cents. Call it with the payment locked.
 */
export async function readBookedReversals(
  ctx: Ctx,
  payment: ReversedPayment,
): Promise<{ booked: BookedReversal[]; reopened: Cents }> {
  const rows = await ctx.db
    .select()
    .from(paymentReversals)
    .where(
      payment.planChangeId === undefined
        ? eq(paymentReversals.topUpId, payment.topUpId)
        : eq(paymentReversals.planChangeId, payment.planChangeId),
    )
    .orderBy(asc(paymentReversals.createdAt), asc(paymentReversals.reference), asc(paymentReversals.number));
  const booked = new Map<string, BookedReversal>();
  for (const { reference, reason, amountCents } of rows) {
    const before = booked.get(reference) ?? { reference, reason, amount: asCents(0), steps: 0 };
    booked.set(reference, { ...before, amount: asCents(before.amount + amountCents), steps: before.steps + 1 });
  }
  return { booked: [...booked.values()], reopened: asCents(rows.reduce((sum, row) => sum + row.reopenedCents, 0)) };
}

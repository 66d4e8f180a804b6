import { asc, eq } from "drizzle-orm";
import { paymentsTakenBack } from "#db/schema/index.ts";
import type { Ctx } from "../../context.ts";
import type { PlanChangeId, TopUpId } from "../../ids.ts";
import { type Cents, toCents } from "../../money.ts";
import type { BookedTaking } from "./taken-back.ts";

/** A payment that money can be taken back of: a top-up or the payment of an invoice, or of a plan. */
export type TakenPayment =
  | { topUpId: TopUpId; planChangeId?: undefined }
  | { planChangeId: PlanChangeId; topUpId?: undefined };

/** What was booked of each dispute and refund of a payment, and what of it its invoice is open by. Read with the payment locked. */
export async function readBookedTakings(
  ctx: Ctx,
  payment: TakenPayment,
): Promise<{ booked: BookedTaking[]; reopened: Cents }> {
  const rows = await ctx.db
    .select()
    .from(paymentsTakenBack)
    .where(
      payment.planChangeId === undefined
        ? eq(paymentsTakenBack.topUpId, payment.topUpId)
        : eq(paymentsTakenBack.planChangeId, payment.planChangeId),
    )
    .orderBy(asc(paymentsTakenBack.createdAt), asc(paymentsTakenBack.reference), asc(paymentsTakenBack.number));
  const booked = new Map<string, BookedTaking>();
  for (const { reference, reason, amountCents } of rows) {
    const before = booked.get(reference) ?? { reference, reason, amount: toCents(0), steps: 0 };
    booked.set(reference, { ...before, amount: toCents(before.amount + amountCents), steps: before.steps + 1 });
  }
  return { booked: [...booked.values()], reopened: toCents(rows.reduce((sum, row) => sum + row.reopenedCents, 0)) };
}

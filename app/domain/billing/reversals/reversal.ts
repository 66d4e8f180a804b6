import { asCents, type Cents } from "#app/domain/money.ts";

/**
 * How a payment is reversed outside the app: the bank disputes it for its customer, or someone refunds it at the
 * provider. Pure.
 */
export const reversalReasons = ["dispute", "refund"] as const;
export type ReversalReason = (typeof reversalReasons)[number];

/** The amount that one dispute or refund currently reverses at the provider, in cents: 0 once it was reinstated. */
export type Reversal = { reference: string; reason: ReversalReason; amount: Cents };

/** The amount that is posted for a dispute or refund, and the number of steps. */
export type BookedReversal = Reversal & { steps: number };

/** The next step of a dispute or refund, in cents: a positive `amount` is reversed, a negative one reinstated. */
export type ReversalStep = { reference: string; reason: ReversalReason; number: number; amount: Cents };

/**
 * Returns the steps that bring the ledger in line with the provider, and the excess in cents. Reversals are posted in
 * order up to the amount of the payment; the excess is our loss. Reinstatements come first.
 */
export function reversalStepsFor(
  payment: Cents,
  { reversals, booked }: { reversals: readonly Reversal[]; booked: readonly BookedReversal[] },
): { steps: ReversalStep[]; excess: Cents } {
  const listedReferences = new Set(reversals.map(({ reference }) => reference));
  // Reversals that the provider no longer lists stay as posted.
  const reversalsInOrder: readonly Reversal[] = [
    ...booked.filter(({ reference }) => !listedReferences.has(reference)),
    ...reversals,
  ];
  const bookedByReference = new Map(booked.map((one) => [one.reference, one]));
  const steps: ReversalStep[] = [];
  let remaining: number = payment;
  let excess = 0;
  for (const { reference, reason, amount } of reversalsInOrder) {
    const bookable = Math.min(amount, remaining);
    remaining -= bookable;
    excess += amount - bookable;
    const posted = bookedByReference.get(reference);
    const change = bookable - (posted?.amount ?? 0);
    if (change !== 0) steps.push({ reference, reason, number: (posted?.steps ?? 0) + 1, amount: asCents(change) });
  }
  return { steps: steps.sort((one, other) => one.amount - other.amount), excess: asCents(excess) };
}

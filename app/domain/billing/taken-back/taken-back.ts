import { type Cents, toCents } from "../../money.ts";

/** How money leaves past our books: a bank takes a payment back for its customer, or somebody gives it back at the provider's. Pure. */
export const takenBackReasons = ["dispute", "refund"] as const;
export type TakenBackReason = (typeof takenBackReasons)[number];

/** What is gone of a payment by one dispute or refund, as it stands at the provider: nothing where it came back. */
export type Taking = { reference: string; reason: TakenBackReason; amount: Cents };

/** What was booked of it so far, and in how many steps. */
export type BookedTaking = Taking & { steps: number };

/** The next step of a dispute or refund: `amount` above 0 is taken, below 0 comes back. */
export type TakingStep = { reference: string; reason: TakenBackReason; number: number; amount: Cents };

/**
 * What is still to be booked so that the books say what the provider says, and how much of that is beyond the payment: no more than
 * it brought is taken from what it filled, in the order of the takings; the rest is ours to bear. What comes back is booked first.
 */
export function stepsFor(
  payment: Cents,
  { takings, booked }: { takings: readonly Taking[]; booked: readonly BookedTaking[] },
): { steps: TakingStep[]; beyond: Cents } {
  const named = new Set(takings.map(({ reference }) => reference));
  // What the provider does not name any more stays as it was booked.
  const all: readonly Taking[] = [...booked.filter(({ reference }) => !named.has(reference)), ...takings];
  const before = new Map(booked.map((one) => [one.reference, one]));
  const steps: TakingStep[] = [];
  let room: number = payment;
  let beyond = 0;
  for (const { reference, reason, amount } of all) {
    const bookable = Math.min(amount, room);
    room -= bookable;
    beyond += amount - bookable;
    const known = before.get(reference);
    const change = bookable - (known?.amount ?? 0);
    if (change !== 0) steps.push({ reference, reason, number: (known?.steps ?? 0) + 1, amount: toCents(change) });
  }
  return { steps: steps.sort((one, other) => one.amount - other.amount), beyond: toCents(beyond) };
}

import { asCents, type Cents, microsToCents } from "../money.ts";

/**
 * Converts parts in micros to whole cents that add up to their sum, rounded down once. The cents lost by rounding each
 * part down go to the largest remainders, the first of equal ones. Pure.
 */
export function allocateCents(parts: readonly bigint[]): Cents[] {
  const cents = parts.map(microsToCents);
  const over = microsToCents(parts.reduce((sum, part) => sum + part, 0n)) - cents.reduce((sum, part) => sum + part, 0);
  const byRemainder = parts
    .map((_, index) => index)
    .sort((one, other) => remainder(parts, other) - remainder(parts, one));
  for (const index of byRemainder.slice(0, over)) cents[index] = asCents((cents[index] ?? 0) + 1);
  return cents;
}

function remainder(parts: readonly bigint[], index: number): number {
  return Number((parts[index] ?? 0n) % 10_000n);
}

import { type Cents, centsOfMicros, toCents } from "../money.ts";

/**
 * Parts in micros as whole cents that add up to those of their sum, rounded down once: the cents that rounding each part
 * down leaves over go to the largest remainders, the first of equal ones. Pure.
 */
export function wholeCents(parts: readonly bigint[]): Cents[] {
  const cents = parts.map(centsOfMicros);
  const over = centsOfMicros(parts.reduce((sum, part) => sum + part, 0n)) - cents.reduce((sum, part) => sum + part, 0);
  const byRemainder = parts
    .map((_, index) => index)
    .sort((one, other) => remainder(parts, other) - remainder(parts, one));
  for (const index of byRemainder.slice(0, over)) cents[index] = toCents((cents[index] ?? 0) + 1);
  return cents;
}

function remainder(parts: readonly bigint[], index: number): number {
  return Number((parts[index] ?? 0n) % 10_000n);
}

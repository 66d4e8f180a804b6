import { type Cents, formatCents } from "#app/domain/money.ts";

/** Names what a top-up has to exceed, as it follows "Top up your wallet"; an empty text where any top-up is enough. */
export function moreThanShortfall(shortfall: Cents): string {
  return shortfall > 0 ? ` with more than ${formatCents(shortfall)}` : "";
}

import { type MoneyTerm, moneyTerms } from "#app/domain/billing/money-words.ts";
import { Definitions } from "#app/ui/definitions.tsx";

/**
 * The definitions of these terms. It loads all of them into the browser; a page that is short of space gets them from
 * its loader.
 */
export function MoneyDefinitions({ terms }: { terms: readonly MoneyTerm[] }) {
  return <Definitions of={terms.map((term) => moneyTerms[term])} />;
}

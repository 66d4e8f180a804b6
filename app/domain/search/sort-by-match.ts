import type { SearchResult } from "./search-result.ts";

/**
 * Sorts results by how their title, or a product's SKU, matches: as a whole, by its beginning, by the beginning of a
 * word, by any other part. Those that match alike stay in their order. Pure.
 */
export function sortByMatch(results: readonly SearchResult[], q: string): SearchResult[] {
  const text = q.toLowerCase();
  const placeOf = (result: SearchResult) => Math.min(...textsOf(result).map((found) => matchPlace(found, text)));
  return [...results].sort((one, other) => placeOf(one) - placeOf(other));
}

function textsOf(result: SearchResult): string[] {
  return result.kind === "product" ? [result.title, result.facts.sku] : [result.title];
}

function matchPlace(found: string, text: string): number {
  const title = found.toLowerCase();
  if (title === text) return 0;
  if (title.startsWith(text)) return 1;
  return startsWord(title, text) ? 2 : 3;
}

function startsWord(title: string, text: string): boolean {
  for (let at = title.indexOf(text); at >= 0; at = title.indexOf(text, at + 1)) {
    if (at > 0 && !/[\p{L}\p{N}]/u.test(title.charAt(at - 1))) return true;
  }
  return false;
}

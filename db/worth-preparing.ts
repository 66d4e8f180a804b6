/** So many statements are kept prepared by each connection at most; a plan may take some ten kilobytes of PostgreSQL's memory. */
const most = 250;
/** So many texts are remembered as seen once. */
const seenOnceAtMost = 1_000;

/**
 * Tells the statements that come again from those that do not. Prepared, a statement takes one way to the server instead
 * of two, and is parsed once; but the driver never lets go of one, so lists of changing length must not fill the server.
 */
export function statementsWorthPreparing(): (text: string) => boolean {
  const seenOnce = new Set<string>();
  const prepared = new Set<string>();
  return (text) => {
    if (prepared.has(text)) return true;
    if (prepared.size >= most || isSearch(text)) return false;
    if (seenOnce.delete(text)) {
      prepared.add(text);
      return true;
    }
    if (seenOnce.size >= seenOnceAtMost) seenOnce.clear();
    seenOnce.add(text);
    return false;
  };
}

/** The way to find a word depends on how rare it is; a prepared statement's plan must do for all words. */
function isSearch(text: string): boolean {
  return / i?like /i.test(text);
}

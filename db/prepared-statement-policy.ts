/**
 * The maximum number of prepared statements per connection; a plan may use tens of kilobytes of PostgreSQL's memory.
 */
const maxPreparedStatements = 250;
/** The maximum number of statements that are remembered as seen once. */
const maxSeenOnce = 1_000;

/**
 * Returns whether to prepare a statement: only statements that recur. A prepared statement needs one round trip instead
 * of two and is parsed once; but the driver never deallocates one, so lists of varying length must not fill the server.
 */
export function preparedStatementPolicy(): (text: string) => boolean {
  const seenOnce = new Set<string>();
  const prepared = new Set<string>();
  return (text) => {
    if (prepared.has(text)) return true;
    if (prepared.size >= maxPreparedStatements || isSearch(text)) return false;
    if (seenOnce.delete(text)) {
      prepared.add(text);
      return true;
    }
    if (seenOnce.size >= maxSeenOnce) seenOnce.clear();
    seenOnce.add(text);
    return false;
  };
}

/** The best plan for a search depends on how frequent its text is; a prepared statement would have one plan for all. */
function isSearch(text: string): boolean {
  return / i?like /i.test(text);
}

/**
 * The maximum number of prepared statements; a plan may use tens of kilobytes of PostgreSQL's memory on each
 * connection.
 */
const maxPreparedStatements = 250;
/**
 * Beyond this number of prepared statements, one has to recur more often: what a start executes a few times, such as
 * the demo data, must not take the places of what every request executes.
 */
const plenty = 125;
const usesWhilePlenty = 2;
const usesWhenScarce = 10;
/**
 * A statement that was not used for this long, in milliseconds, gives way to another one. The driver never deallocates
 * it, but replaces its connections within an hour, so that each has a few times the maximum at most.
 */
const idleMs = 10 * 60_000;
/**
 * The length of the longest statement that is prepared. A plan takes some thirty times the memory of its text: that of
 * an insert of 1,000 rows 3.5 MB on each connection.
 */
const maxTextLength = 30_000;
/** The maximum number of statements whose uses are counted. */
const maxCounted = 1_000;

/**
 * Returns whether to prepare a statement: only statements that recur. A prepared statement needs one round trip instead
 * of two and is parsed and planned once; but lists of varying length, and long ones, must not fill the memory of
 * PostgreSQL and of this process.
 */
export function preparedStatementPolicy(now: () => number = () => performance.now()): (text: string) => boolean {
  const uses = new Map<string, number>();
  const prepared = new Map<string, { usedAt: number }>();

  /** Returns whether there is a place for one more statement, if need be that of the one that is idle for longest. */
  function hasPlace(): boolean {
    if (prepared.size < maxPreparedStatements) return true;
    let idlest: string | undefined;
    let since = now() - idleMs;
    for (const [text, { usedAt }] of prepared) {
      if (usedAt < since) [idlest, since] = [text, usedAt];
    }
    return idlest !== undefined && prepared.delete(idlest);
  }

  return (text) => {
    const known = prepared.get(text);
    if (known) {
      known.usedAt = now();
      return true;
    }
    if (text.length > maxTextLength || isSearch(text)) return false;
    const count = (uses.get(text) ?? 0) + 1;
    if (count >= (prepared.size < plenty ? usesWhilePlenty : usesWhenScarce) && hasPlace()) {
      uses.delete(text);
      prepared.set(text, { usedAt: now() });
      return true;
    }
    if (uses.size >= maxCounted) uses.clear();
    uses.set(text, Math.min(count, usesWhenScarce));
    return false;
  };
}

/** The best plan for a search depends on how frequent its text is; a prepared statement would have one plan for all. */
function isSearch(text: string): boolean {
  return / i?like /i.test(text);
}

/**
 * Returns work that the test awaits only after something else. Until then its rejection would count as unhandled, which
 * fails the whole run outside of any test.
 */
export function deferRejection<T>(work: Promise<T>): Promise<T> {
  work.catch(() => undefined);
  return work;
}

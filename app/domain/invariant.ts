/**
 * Throws an Error when `condition` is falsy: something that the program relies on does not hold. The message names the
 * thing and ends with `facts` as JSON, so that the log says which row is meant. Never shown to people.
 */
export function invariant(
  condition: unknown,
  message: string,
  facts: Readonly<Record<string, unknown>>,
): asserts condition {
  if (!condition) throw new Error(`${message} ${JSON.stringify(facts)}`);
}

/**
 * The reach of a selection: `from` inclusive, `to` exclusive, or the problem. Neither is set while it is being counted.
 */
export type ReachResult = { ids: readonly string[]; reach?: { from: number; to: number }; problem?: string };

export function isReachResult(body: unknown): body is ReachResult {
  return typeof body === "object" && body !== null && "ids" in body;
}

/** Returns a key that is the same for the same selection in any order. */
export function audienceSetKey(ids: readonly string[]): string {
  return [...ids].sort().join();
}

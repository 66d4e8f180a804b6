/** What is known of a choice's reach: from so many people on, to less than so many; or why not. Neither while it is counted. */
export type ReachAnswer = { ids: readonly string[]; reach?: { from: number; to: number }; problem?: string };

export function isReachAnswer(answer: unknown): answer is ReachAnswer {
  return typeof answer === "object" && answer !== null && "ids" in answer;
}

/** The same choice, in whatever order. */
export function choiceKey(ids: readonly string[]): string {
  return [...ids].sort().join();
}

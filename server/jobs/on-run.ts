/** How a run of a job or task ended. Postponed: others had locked what it needs, and it is repeated soon. */
export const runResults = ["success", "failure", "postponed"] as const;
export type RunResult = (typeof runResults)[number];

/** Called after each run of a job or task. */
export type OnRun = (run: { job: string; seconds: number; result: RunResult }) => void;

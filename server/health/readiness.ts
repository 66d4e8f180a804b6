import { setTimeout as sleep } from "node:timers/promises";

/** What is wrong with a part that the process can do without. */
type Degraded = { degraded: string };

/** Finds out whether a part works now: resolves to undefined, or to what is wrong with it, in words for an operator. */
export type PartCheck = () => Promise<string | Degraded | undefined>;

type PartState = { status: "ok" } | { status: "failed" | "degraded"; reason: string };

type ReadinessReport = {
  status: "ready" | "not_ready" | "draining";
  parts: Record<string, PartState>;
};

export type Readiness = {
  report: () => Promise<ReadinessReport>;
  /** From now on the process is not ready, so that a load balancer sends it no further requests. */
  startDraining: () => void;
};

/** A part that has not answered by then has failed. */
const answerMs = 3_000;
/** A part that the process can do without has less time, so that its being late is not a failure. */
const degradedAfterMs = 2_500;
/** Anyone may ask, so an answer is reused this long. */
const reuseMs = 1_000;

/** Makes a part one that the process can do without; `consequence` says what does not work then. */
export function degradable(check: PartCheck, consequence: string): PartCheck {
  return async () => {
    const result = await resultOf(check, degradedAfterMs);
    return typeof result === "string" ? { degraded: `${result}; ${consequence}` } : result;
  };
}

/** Reports whether all parts work. Requests at the same time share one check. */
export function openReadiness(checks: Record<string, PartCheck>): Readiness {
  let isDraining = false;
  let last: { at: number; parts: Promise<ReadinessReport["parts"]> } | undefined;
  return {
    async report() {
      if (!last || performance.now() - last.at > reuseMs) last = { at: performance.now(), parts: checkAll(checks) };
      const parts = await last.parts;
      const isReady = Object.values(parts).every(({ status }) => status !== "failed");
      return { status: isDraining ? "draining" : isReady ? "ready" : "not_ready", parts };
    },
    startDraining() {
      isDraining = true;
    },
  };
}

async function checkAll(checks: Record<string, PartCheck>): Promise<ReadinessReport["parts"]> {
  const results = Object.entries(checks).map(async ([name, check]): Promise<[string, PartState]> => {
    return [name, stateOf(await resultOf(check))];
  });
  return Object.fromEntries(await Promise.all(results));
}

function stateOf(result: Awaited<ReturnType<PartCheck>>): PartState {
  if (result === undefined) return { status: "ok" };
  return typeof result === "string"
    ? { status: "failed", reason: result }
    : { status: "degraded", reason: result.degraded };
}

/** Returns the check's result, or that it came too late or failed. */
async function resultOf(check: PartCheck, timeoutMs = answerMs): ReturnType<PartCheck> {
  const inTime = new AbortController();
  const late = sleep(timeoutMs, `no response within ${timeoutMs / 1_000} seconds`, { signal: inTime.signal });
  late.catch(() => undefined);
  try {
    return await Promise.race([check(), late]);
  } catch (error) {
    return error instanceof Error ? error.message : String(error);
  } finally {
    inTime.abort();
  }
}

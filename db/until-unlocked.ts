import { setTimeout as sleep } from "node:timers/promises";
import { errorCode } from "#app/startup-error.ts";

/** Whether a lock was not granted in time (55P03), or a deadlock was resolved against this session (40P01). */
export function isHeldLock(error: unknown): boolean {
  return ["55P03", "40P01"].includes(errorCode(error) ?? "");
}

/** Whether another session has added the same row (23505). */
export function isAddedBeside(error: unknown): boolean {
  return errorCode(error) === "23505";
}

export type Retry = { attempts: number; pauseMs: number };

/** Runs a step again while others hold its locks, or whatever else passes. Throws the error of the last attempt. */
export async function untilUnlocked(
  step: () => Promise<void>,
  { attempts, pauseMs }: Retry,
  passes: (error: unknown) => boolean = isHeldLock,
): Promise<void> {
  for (let attempt = 1; ; attempt += 1) {
    try {
      return await step();
    } catch (error) {
      if (attempt >= attempts || !passes(error)) throw error;
      await sleep(pauseMs);
    }
  }
}

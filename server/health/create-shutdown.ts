import { log } from "#app/web/log.server.ts";

/** What a stop undoes, in the order in which it was done. */
export type Undo = (() => unknown)[];

/**
 * Returns a stop function, which undoes the steps in reverse order and then ends the process. A step that fails is
 * logged, makes the exit code 1 and keeps none of the others from running. Each call waits for the same stop.
 */
export function createShutdown(undo: Undo) {
  let stopping: Promise<void> | undefined;
  return ({ exit = true } = {}) => {
    stopping ??= (async () => {
      for (const step of undo.reverse()) {
        try {
          await step();
        } catch (error) {
          log.error("stop failed", { error });
          process.exitCode = 1;
        }
      }
      if (exit) process.exit();
    })();
    return stopping;
  };
}

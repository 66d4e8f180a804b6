import { AsyncResource } from "node:async_hooks";

/** The wait for a connection of the pool was too long: the database is overloaded. Nothing was sent to it. */
class NoConnectionError extends Error {
  readonly code = "DATABASE_BUSY";

  constructor(milliseconds: number) {
    super(`No connection to the database became free within ${milliseconds} ms`);
    this.name = "NoConnectionError";
  }
}

export type Slots = {
  /**
   * Runs `work` at once when a slot is free, otherwise in the order of the requests. Rejects with the code
   * DATABASE_BUSY when no slot becomes free within `milliseconds`; the duration of `work` does not count.
   */
  use: <T>(work: () => Promise<T>, milliseconds: number) => Promise<T>;
  /** How much work runs, and how much waits for a slot. */
  usage: () => { running: number; waiting: number };
};

/** Limits concurrent work to the number of connections. */
export function openSlots(count: number): Slots {
  const waiting: (() => void)[] = [];
  let free = count;

  function release(): void {
    const next = waiting.shift();
    if (next) next();
    else free += 1;
  }

  function run<T>(work: () => Promise<T>): Promise<T> {
    const done = work();
    done.then(release, release);
    return done;
  }

  return {
    use(work, milliseconds) {
      if (free > 0) {
        free -= 1;
        return run(work);
      }
      return new Promise((resolve, reject) => {
        // A slot becomes free in the turn of another request, whose trace and deadline are not this one's. `bind` would
        // define a deprecated property each time, which takes a hundred times as long.
        const resource = new AsyncResource("SlotRequest");
        const begin = () => {
          clearTimeout(timer);
          resource.runInAsyncScope(() => resolve(run(work)));
        };
        const timer = setTimeout(() => {
          waiting.splice(waiting.indexOf(begin), 1);
          reject(new NoConnectionError(milliseconds));
        }, milliseconds);
        waiting.push(begin);
      });
    },
    usage: () => ({ running: count - free, waiting: waiting.length }),
  };
}

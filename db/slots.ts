/** Too long a wait for one of the pool's connections: more was asked than the database can do. Nothing was sent to it. */
class NoConnectionError extends Error {
  readonly code = "DATABASE_BUSY";

  constructor(milliseconds: number) {
    super(`No connection to the database became free within ${milliseconds} ms`);
    this.name = "NoConnectionError";
  }
}

export type Slots = {
  /**
   * Runs `work` at once when a slot is free, else in the order of asking. Rejects with the code DATABASE_BUSY when none
   * became free within `milliseconds`; the work's own time is not counted.
   */
  use: <T>(work: () => Promise<T>, milliseconds: number) => Promise<T>;
};

/** As many pieces of work at a time as there are connections. */
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
        const begin = () => {
          clearTimeout(timer);
          resolve(run(work));
        };
        const timer = setTimeout(() => {
          waiting.splice(waiting.indexOf(begin), 1);
          reject(new NoConnectionError(milliseconds));
        }, milliseconds);
        waiting.push(begin);
      });
    },
  };
}

import { AsyncLocalStorage } from "node:async_hooks";
import { PostgresJsPreparedQuery } from "drizzle-orm/postgres-js";
import { onTestFinished, vi } from "vitest";

/** Figures of one response, in groups: those of a group are equal as of any moment. */
export type Read = () => Promise<readonly (readonly number[])[]>;

export const noneTorn = { torn: 0, example: undefined };

/** Reads so many times. Returns the number of groups whose figures differ, and the first one. */
export async function tornFigures(read: Read, times: number) {
  const torn: (readonly number[])[] = [];
  for (let done = 0; done < times; done += 1) {
    torn.push(...(await read()).filter((figures) => figures.some((one) => one !== figures[0])));
  }
  return { torn: torn.length, example: torn[0] };
}

/**
 * Sends the statements of a read one at a time, also those that it sends at once, and commits changes after each, which
 * a writer beside it does by chance only.
 */
export function commitAfterEachStatementOf(read: Read, commitChanges: () => Promise<unknown>) {
  const reader = new AsyncLocalStorage<true>();
  let [last, commits]: [Promise<unknown>, number] = [Promise.resolve(), 0];
  const send = PostgresJsPreparedQuery.prototype.execute;
  const spy = vi.spyOn(PostgresJsPreparedQuery.prototype, "execute").mockImplementation(function (
    this: PostgresJsPreparedQuery<never>,
    ...values
  ) {
    const run = () => send.apply(this, values);
    if (!reader.getStore()) return run();
    const result = last.then(run);
    last = result
      .then(() => reader.exit(commitChanges))
      .then(() => {
        commits += 1;
      });
    return last.then(() => result);
  });
  onTestFinished(() => spy.mockRestore());
  return { read: () => reader.run(true, read), count: () => commits };
}

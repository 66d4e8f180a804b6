import type { Ctx } from "./context.ts";
import type { AccountId } from "./ids.ts";

/** How many accounts the message of the error names. */
const namedAccounts = 20;

/**
 * Does a job's work for one account after the other, until the process stops. An account whose work fails keeps no other
 * from its own: an `AggregateError` in the end names those that failed. Returns for how many the work returned true.
 */
export async function forEachAccount(
  { stopping }: Pick<Ctx, "stopping">,
  accounts: Iterable<AccountId> | AsyncIterable<AccountId>,
  work: (id: AccountId) => Promise<boolean>,
): Promise<number> {
  const errors = new Map<AccountId, unknown>();
  let done = 0;
  for await (const id of accounts) {
    if (stopping?.aborted) break;
    try {
      if (await work(id)) done += 1;
    } catch (error) {
      errors.set(id, error);
    }
  }
  throwIfAny(errors);
  return done;
}

function throwIfAny(errors: ReadonlyMap<AccountId, unknown>): void {
  const ids = [...errors.keys()];
  if (ids.length === 0) return;
  const more = ids.length > namedAccounts ? ` and ${ids.length - namedAccounts} more` : "";
  const named = ids.slice(0, namedAccounts).join(", ");
  throw new AggregateError([...errors.values()].slice(0, namedAccounts), `failed for ${named}${more}`);
}

/**
 * Yields the accounts of a list that is read in parts. `listAfter` returns the next part: those after an account, in the
 * order of their ids, and none at the end.
 */
export async function* readInParts(
  listAfter: (after: AccountId | undefined) => Promise<AccountId[]>,
): AsyncGenerator<AccountId> {
  for (let after: AccountId | undefined; ; ) {
    const part = await listAfter(after);
    yield* part;
    after = part.at(-1);
    if (after === undefined) return;
  }
}

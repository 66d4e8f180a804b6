import type { AccountId } from "./ids.ts";

/** How many accounts the message of the error names. */
const namedAccounts = 20;

/**
 * The failures of a job that works for one account after the other: an account whose turn fails keeps no other from its
 * own, and the job fails in the end.
 */
export class AccountFailures {
  readonly #errors = new Map<AccountId, unknown>();

  /** Runs an account's turn. Returns its result, or undefined when it failed. */
  async run<T>(accountId: AccountId, turn: () => Promise<T>): Promise<T | undefined> {
    try {
      return await turn();
    } catch (error) {
      this.#errors.set(accountId, error);
      return undefined;
    }
  }

  /** Throws an `AggregateError` that names the accounts that failed, if any did. */
  throwIfAny(): void {
    const ids = [...this.#errors.keys()];
    if (ids.length === 0) return;
    const more = ids.length > namedAccounts ? ` and ${ids.length - namedAccounts} more` : "";
    const named = ids.slice(0, namedAccounts).join(", ");
    throw new AggregateError([...this.#errors.values()].slice(0, namedAccounts), `failed for ${named}${more}`);
  }
}

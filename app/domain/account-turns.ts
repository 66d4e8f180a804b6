import { sharedState } from "../shared-state.ts";
import type { AccountId } from "./ids.ts";

type Waiting = { account: AccountId; begin: () => void };

/**
 * Decides whose work is done next: one piece of an account's at a time, and a limited number in total. An account whose
 * turn has ended waits behind the others, so that much work of one account delays another's by one piece.
 */
export class AccountTurns {
  private readonly maxConcurrent: number;
  private readonly working = new Set<AccountId>();
  private waiting: Waiting[] = [];

  constructor(maxConcurrent: number) {
    this.maxConcurrent = maxConcurrent;
  }

  /** Does the work when it is the account's turn. */
  async run<Result>(account: AccountId, work: () => Promise<Result>): Promise<Result> {
    await new Promise<void>((begin) => {
      this.waiting.push({ account, begin });
      this.next();
    });
    try {
      return await work();
    } finally {
      this.working.delete(account);
      const isOther = (one: Waiting) => one.account !== account;
      this.waiting = [...this.waiting.filter(isOther), ...this.waiting.filter((one) => !isOther(one))];
      this.next();
    }
  }

  private next(): void {
    for (const one of [...this.waiting]) {
      if (this.working.size >= this.maxConcurrent) return;
      if (this.working.has(one.account)) continue;
      this.working.add(one.account);
      this.waiting = this.waiting.filter((other) => other !== one);
      one.begin();
    }
  }
}

/** Returns the turns of this process by their name. */
export function accountTurns(name: string, maxConcurrent: number): AccountTurns {
  return sharedState(`turns.${name}`, () => new AccountTurns(maxConcurrent))();
}

import type { Ctx } from "./context.ts";
import { forEachItem } from "./for-each-item.ts";
import type { AccountId } from "./ids.ts";

/**
 * Does a job's work for one account after the other, as `forEachItem` does. Returns for how many the work returned
 * true.
 */
export function forEachAccount(
  ctx: Pick<Ctx, "stopping">,
  accounts: Iterable<AccountId> | AsyncIterable<AccountId>,
  work: (id: AccountId) => Promise<boolean>,
): Promise<number> {
  return forEachItem(ctx, accounts, { work, kind: "accounts", nameOf: (id) => id });
}

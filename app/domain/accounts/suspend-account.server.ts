import type { Ctx, OperatorActor } from "../context.ts";
import type { AccountId } from "../ids.ts";
import { setAccountStatus } from "./set-account-status.server.ts";

/**
 * Suspends an account: its users are denied access from their next request on. Its audiences are no longer offered to
 * advertisers; its campaigns do not change.
 */
export function suspendAccount(ctx: Ctx<OperatorActor>, { accountId }: { accountId: AccountId }) {
  return setAccountStatus(ctx, { accountId, status: "suspended" });
}

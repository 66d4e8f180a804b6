import type { Ctx, OperatorActor } from "../context.ts";
import type { AccountId } from "../ids.ts";
import { decideAccount } from "./decide-account.server.ts";

/** Shuts an account out from its people's next request on. Its campaigns stay as they are. */
export function suspendAccount(ctx: Ctx<OperatorActor>, { accountId }: { accountId: AccountId }) {
  return decideAccount(ctx, { accountId, status: "suspended" });
}

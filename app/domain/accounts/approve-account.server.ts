import type { Ctx, OperatorActor } from "../context.ts";
import type { AccountId } from "../ids.ts";
import { decideAccount } from "./decide-account.server.ts";

/** Lets an account in, whether it waited or was suspended. */
export function approveAccount(ctx: Ctx<OperatorActor>, { accountId }: { accountId: AccountId }) {
  return decideAccount(ctx, { accountId, status: "approved" });
}

import type { Ctx, OperatorActor } from "../context.ts";
import type { AccountId } from "../ids.ts";
import { setAccountStatus } from "./set-account-status.server.ts";

/** Approves a pending or suspended account. */
export function approveAccount(ctx: Ctx<OperatorActor>, { accountId }: { accountId: AccountId }) {
  return setAccountStatus(ctx, { accountId, status: "approved" });
}

import { eq } from "drizzle-orm";
import { accounts } from "#db/schema/index.ts";
import type { Ctx, OperatorActor } from "../../context.ts";
import { notFound } from "../../errors.ts";
import type { AccountId, BalanceReturnId, RepaymentId } from "../../ids.ts";
import { asCents, type Cents } from "../../money.ts";
import { inTransaction } from "../../transaction.server.ts";
import { lockBalance, postTransfer } from "./post-transfer.server.ts";
import { balanceReturnKind, repaymentKind, type TransferKind } from "./transfer-kinds.server.ts";

type Reversed = { accountId: AccountId; reference: string };
/** The amount of the transfer, and whether it was already reversed. */
type Reversal = { amount: Cents; replayed: boolean };

/**
 * Records that a repayment was recorded for the wrong account, or that the bank returned the transfer: the account owes
 * its amount again, also after it is in a payout, and its reference can be recorded once more. A repetition changes
 * nothing. Returns the amount, in cents. Throws `not_found` when the account has no repayment with the reference.
 */
export function reverseRepayment(ctx: Ctx<OperatorActor>, reversed: Reversed): Promise<Reversal> {
  return reverseBankTransfer(ctx, repaymentKind, reversed);
}

/**
 * Records that the bank returned the transfer by which we sent a balance back, or that it was recorded for the wrong
 * account: its amount is owed to the account again, and its reference can be recorded once more. A repetition changes
 * nothing. Returns the amount, in cents. Throws `not_found` when nothing is recorded for the account with the
 * reference.
 */
export function reverseBalanceReturn(ctx: Ctx<OperatorActor>, reversed: Reversed): Promise<Reversal> {
  return reverseBankTransfer(ctx, balanceReturnKind, reversed);
}

async function reverseBankTransfer<Id extends RepaymentId | BalanceReturnId>(
  ctx: Ctx<OperatorActor>,
  kind: TransferKind<Id>,
  { accountId, ...input }: Reversed,
): Promise<Reversal> {
  const reference = input.reference.trim();
  return inTransaction(ctx, async (tx) => {
    const [owner] = await tx.db
      .select({ id: accounts.id, type: accounts.type })
      .from(accounts)
      .where(eq(accounts.id, accountId));
    if (!owner) throw notFound(kind.name);
    const locked = await lockBalance(tx, owner);
    const records = await kind.list(tx, reference);
    const last = records.findLast((record) => record.accountId === accountId);
    if (!last) throw notFound(kind.name);
    if (last.isReversed) return { amount: asCents(last.amountCents), replayed: true };
    const amount = asCents(last.amountCents);
    const { id: reversesId, occurrence } = last;
    const reversal = { owner, reference, occurrence, reversesId, amount: asCents(-amount), accounts: locked };
    await postTransfer(tx, kind, reversal);
    return { amount, replayed: false };
  });
}

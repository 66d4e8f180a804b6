import { and, desc, eq, isNull } from "drizzle-orm";
import { accounts, balanceReturns } from "#db/schema/index.ts";
import type { Ctx, OperatorActor } from "../../context.ts";
import { notFound } from "../../errors.ts";
import type { AccountId } from "../../ids.ts";
import { invariant } from "../../invariant.ts";
import { asCents, type Cents } from "../../money.ts";
import { inTransaction } from "../../transaction.server.ts";
import { findStandingReturn, lockBalance, postBalanceReturn } from "./balance-return-rows.server.ts";

/**
 * Records that the bank returned the transfer by which we sent a balance back, or that it was recorded for the wrong account:
 * its amount is owed to the account again, and its reference can be recorded once more. A repetition changes nothing. Returns
 * the amount, in cents. Throws `not_found` when nothing is recorded for the account with the reference.
 */
export async function reverseBalanceReturn(
  ctx: Ctx<OperatorActor>,
  { accountId, ...input }: { accountId: AccountId; reference: string },
): Promise<{ amount: Cents; replayed: boolean }> {
  const reference = input.reference.trim();
  return inTransaction(ctx, async (tx) => {
    const isOwn = and(eq(balanceReturns.reference, reference), eq(balanceReturns.accountId, accountId));
    const [owner] = await tx.db
      .select({ id: accounts.id, type: accounts.type })
      .from(accounts)
      .where(eq(accounts.id, accountId));
    if (!owner || (await tx.db.$count(balanceReturns, isOwn)) === 0) throw notFound("Return of the balance");
    const locked = await lockBalance(tx, owner);
    const standing = await findStandingReturn(tx, reference);
    if (standing?.accountId !== accountId) {
      const [last] = await tx.db
        .select()
        .from(balanceReturns)
        .where(and(isOwn, isNull(balanceReturns.reversesId)))
        .orderBy(desc(balanceReturns.occurrence))
        .limit(1);
      invariant(last, "reversal has no balance return", { accountId, reference });
      return { amount: asCents(last.amountCents), replayed: true };
    }
    const { id: reversesId, occurrence, amountCents } = standing;
    const amount = asCents(-amountCents);
    await postBalanceReturn(tx, { owner, reference, occurrence, reversesId, amount, accounts: locked });
    return { amount: asCents(amountCents), replayed: false };
  });
}

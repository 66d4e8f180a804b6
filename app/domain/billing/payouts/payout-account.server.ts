import { and, eq } from "drizzle-orm";
import { payoutAccounts } from "#db/schema/index.ts";
import { recordAudit } from "../../audit/record-audit.server.ts";
import type { Ctx, PublisherActor } from "../../context.ts";
import { DomainError, invalidInput } from "../../errors.ts";
import { inTransaction } from "../../transaction.server.ts";
import { findPayoutsBy, payoutsBy } from "./provider-of.server.ts";
import { sandboxAccountOf } from "./sandbox-account.ts";
import { findConnectedAccount } from "./stripe/connected-accounts.server.ts";

/** What a person knows the account by that the publisher's earnings go to; undefined before it chose one of who pays out here. */
export async function findPayoutAccount(ctx: Ctx<PublisherActor>) {
  const provider = findPayoutsBy();
  if (!provider) return undefined;
  const [account] = await ctx.db
    .select({ bank: payoutAccounts.bank, lastFour: payoutAccounts.lastFour, changedAt: payoutAccounts.changedAt })
    .from(payoutAccounts)
    .where(and(eq(payoutAccounts.publisherId, ctx.actor.accountId), eq(payoutAccounts.provider, provider)));
  return account;
}

/** How the publisher's account at Stripe stands; undefined where Stripe does not pay out, or before it went there. */
export async function findAccountState(ctx: Ctx<PublisherActor>) {
  const known = findPayoutsBy() === "stripe" ? await findConnectedAccount(ctx, ctx.actor.accountId) : undefined;
  return known && { state: known.state, dueBy: known.dueBy };
}

export type AccountState = NonNullable<Awaited<ReturnType<typeof findAccountState>>>;

/**
 * Says to which account of the sandbox earnings go from the next payout on. Throws `invalid_input` for a token that stands for no
 * account, `invalid_transition` where Stripe pays out, and `unavailable` where nobody does.
 */
export async function setPayoutAccount(ctx: Ctx<PublisherActor>, { token }: { token: string }): Promise<void> {
  const provider = payoutsBy();
  if (provider !== "sandbox") {
    throw new DomainError("invalid_transition", "The bank account is named on Stripe's own page here.");
  }
  const found = sandboxAccountOf(token);
  if (!found) throw invalidInput({ token: ["No bank account has this token"] });
  const publisherId = ctx.actor.accountId;
  const account = { provider, token, bank: found.bank, lastFour: found.lastFour };
  await inTransaction(ctx, async (tx) => {
    const before = await findPayoutAccount(tx);
    const set = { ...account, changedAt: tx.clock() };
    await tx.db
      .insert(payoutAccounts)
      .values({ publisherId, ...set })
      .onConflictDoUpdate({ target: payoutAccounts.publisherId, set });
    await recordAudit(tx, {
      action: "payout_account.changed",
      entity: "payout_account",
      entityId: publisherId,
      accountId: publisherId,
      before: before && { last_four: before.lastFour },
      after: { last_four: found.lastFour },
    });
  });
}

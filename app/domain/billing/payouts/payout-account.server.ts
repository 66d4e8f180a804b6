import { and, eq } from "drizzle-orm";
import {
  findPayoutProviderName,
  requirePayoutProviderName,
} from "#app/domain/payments/active-payout-provider.server.ts";
import { findSandboxBankAccount } from "#app/domain/payments/sandbox/sandbox-bank-accounts.ts";
import { payoutAccounts } from "#db/schema/index.ts";
import { requireOpenAccount } from "../../accounts/require-open-account.server.ts";
import { recordAudit } from "../../audit/record-audit.server.ts";
import type { Ctx, PublisherActor } from "../../context.ts";
import { DomainError, invalidInput } from "../../errors.ts";
import { inTransaction } from "../../transaction.server.ts";
import { findConnectedAccount } from "./connected-accounts.server.ts";

/**
 * Returns the bank account for the publisher's payouts by the current provider, as the publisher sees it; undefined
 * before one is chosen.
 */
export async function findPayoutAccount(ctx: Ctx<PublisherActor>) {
  const provider = findPayoutProviderName();
  if (!provider) return undefined;
  const [account] = await ctx.db
    .select({ bank: payoutAccounts.bank, lastFour: payoutAccounts.lastFour, changedAt: payoutAccounts.changedAt })
    .from(payoutAccounts)
    .where(and(eq(payoutAccounts.publisherId, ctx.actor.accountId), eq(payoutAccounts.provider, provider)));
  return account;
}

/**
 * Returns the state of the publisher's connected Stripe account; undefined where Stripe does not pay out, or before
 * onboarding started.
 */
export async function findPayoutAccountStatus(ctx: Ctx<PublisherActor>) {
  const known =
    findPayoutProviderName() === "stripe" ? await findConnectedAccount(ctx, ctx.actor.accountId) : undefined;
  return known && { state: known.state, requirementsDueBy: known.requirementsDueBy };
}

export type PayoutAccountStatus = NonNullable<Awaited<ReturnType<typeof findPayoutAccountStatus>>>;

/**
 * Sets the sandbox bank account for payouts from now on. Throws `invalid_input` for an unknown token,
 * `invalid_transition` where Stripe pays out or when the account is closed, and `unavailable` without a payout
 * provider.
 */
export async function setPayoutAccount(ctx: Ctx<PublisherActor>, { token }: { token: string }): Promise<void> {
  const provider = requirePayoutProviderName();
  if (provider !== "sandbox") {
    throw new DomainError("invalid_transition", "Add your bank account on Stripe instead");
  }
  const bankAccount = findSandboxBankAccount(token);
  if (!bankAccount) throw invalidInput({ token: ["No bank account matches this token"] });
  const publisherId = ctx.actor.accountId;
  const account = { provider, token, bank: bankAccount.bank, lastFour: bankAccount.lastFour };
  await inTransaction(ctx, async (tx) => {
    await requireOpenAccount(tx, publisherId);
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
      after: { last_four: bankAccount.lastFour },
    });
  });
}

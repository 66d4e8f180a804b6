import { and, eq, lte } from "drizzle-orm";
import { requireOpenAccount } from "#app/domain/accounts/require-open-account.server.ts";
import { recordAudit } from "#app/domain/audit/record-audit.server.ts";
import type { Ctx } from "#app/domain/context.ts";
import type { AccountId } from "#app/domain/ids.ts";
import { type ConnectedAccount, encodePayoutToken } from "#app/domain/payments/stripe/connected-account.ts";
import { inTransaction } from "#app/domain/transaction.server.ts";
import { connectedAccounts, payoutAccounts } from "#db/schema/index.ts";

/** Returns the publisher's connected Stripe account; undefined before onboarding started. */
export async function findConnectedAccount(ctx: Pick<Ctx, "db">, publisherId: AccountId) {
  const [row] = await ctx.db.select().from(connectedAccounts).where(eq(connectedAccounts.publisherId, publisherId));
  return row;
}

/**
 * Stores a new connected account, in place of the account `instead` if given, unless another process stored one first.
 * Returns the reference that is stored. Throws `invalid_transition` when the account is closed.
 */
export async function saveConnectedAccount(
  ctx: Ctx,
  { publisherId, reference, instead }: { publisherId: AccountId; reference: string; instead: string | undefined },
): Promise<string> {
  const now = ctx.clock();
  const row = {
    reference,
    state: "information_needed",
    requirementsDueBy: null,
    syncedAt: new Date(0),
    createdAt: now,
  } as const;
  const own = eq(connectedAccounts.publisherId, publisherId);
  await inTransaction(ctx, async (tx) => {
    await requireOpenAccount(tx, publisherId);
    if (instead) {
      await tx.db
        .update(connectedAccounts)
        .set(row)
        .where(and(own, eq(connectedAccounts.reference, instead)));
    }
    await tx.db
      .insert(connectedAccounts)
      .values({ publisherId, ...row })
      .onConflictDoNothing();
  });
  return (await findConnectedAccount(ctx, publisherId))?.reference ?? reference;
}

/**
 * Stores the state that a connected account had at `readAt`, unless a later state is stored. Payouts go to its bank
 * account only while the state is `ready`. `connectedAccount` is undefined for an account that Stripe does not know,
 * which is stored as `disabled`.
 */
export async function saveConnectedAccountState(
  ctx: Ctx,
  { publisherId, reference, readAt }: { publisherId: AccountId; reference: string; readAt: Date },
  connectedAccount: ConnectedAccount | undefined,
): Promise<void> {
  await inTransaction(ctx, async (tx) => {
    const state = connectedAccount?.state ?? "disabled";
    const [before] = await tx.db
      .select({ bank: payoutAccounts.bank, lastFour: payoutAccounts.lastFour, token: payoutAccounts.token })
      .from(payoutAccounts)
      .where(isStripePayoutAccount(publisherId));
    const changed = await tx.db
      .update(connectedAccounts)
      .set({ state, requirementsDueBy: connectedAccount?.requirementsDueBy ?? null, syncedAt: readAt })
      .where(
        and(
          ...[eq(connectedAccounts.publisherId, publisherId), eq(connectedAccounts.reference, reference)],
          lte(connectedAccounts.syncedAt, readAt),
        ),
      );
    if (changed.count === 0) return;
    const { bank } = connectedAccount ?? {};
    const payoutBank = state === "enabled" && bank ? bank : undefined;
    const token = payoutBank && encodePayoutToken({ account: reference, bank: payoutBank.id });
    if (before?.token === token && before?.bank === payoutBank?.name) return;
    if (payoutBank && token)
      await upsertPayoutAccount(tx, { publisherId, token, bank: payoutBank.name, lastFour: payoutBank.lastFour });
    else await tx.db.delete(payoutAccounts).where(isStripePayoutAccount(publisherId));
    await recordAudit(tx, {
      action: "payout_account.changed",
      entity: "payout_account",
      entityId: publisherId,
      accountId: publisherId,
      before: before && { last_four: before.lastFour },
      after: { last_four: payoutBank?.lastFour ?? null },
    });
  });
}

function isStripePayoutAccount(publisherId: AccountId) {
  return and(eq(payoutAccounts.publisherId, publisherId), eq(payoutAccounts.provider, "stripe"));
}

async function upsertPayoutAccount(
  ctx: Ctx,
  { publisherId, ...payoutBank }: { publisherId: AccountId; token: string; bank: string; lastFour: string },
): Promise<void> {
  const set = { provider: "stripe" as const, ...payoutBank, changedAt: ctx.clock() };
  await ctx.db
    .insert(payoutAccounts)
    .values({ publisherId, ...set })
    .onConflictDoUpdate({ target: payoutAccounts.publisherId, set });
}

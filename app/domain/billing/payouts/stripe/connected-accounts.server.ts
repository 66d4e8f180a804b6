import { and, eq, lte } from "drizzle-orm";
import { type ConnectedAccount, payoutTokenFor } from "#app/payments/stripe/connected-account.ts";
import { connectedAccounts, payoutAccounts } from "#db/schema/index.ts";
import { recordAudit } from "../../../audit/record-audit.server.ts";
import type { Ctx } from "../../../context.ts";
import type { AccountId } from "../../../ids.ts";
import { inTransaction } from "../../../transaction.server.ts";

/** Which account of Stripe's a publisher is; undefined before it first went there. */
export async function findConnectedAccount(ctx: Pick<Ctx, "db">, publisherId: AccountId) {
  const [row] = await ctx.db.select().from(connectedAccounts).where(eq(connectedAccounts.publisherId, publisherId));
  return row;
}

/** The new one in the place of the other, unless another process was first: gives the one that counts. */
export async function keepConnectedAccount(
  ctx: Ctx,
  { publisherId, reference, instead }: { publisherId: AccountId; reference: string; instead: string | undefined },
): Promise<string> {
  const now = ctx.clock();
  const row = { reference, state: "needs_more", dueBy: null, askedAt: new Date(0), createdAt: now } as const;
  const own = eq(connectedAccounts.publisherId, publisherId);
  if (instead) {
    await ctx.db
      .update(connectedAccounts)
      .set(row)
      .where(and(own, eq(connectedAccounts.reference, instead)));
  }
  await ctx.db
    .insert(connectedAccounts)
    .values({ publisherId, ...row })
    .onConflictDoNothing();
  return (await findConnectedAccount(ctx, publisherId))?.reference ?? reference;
}

/**
 * Writes down how an account stood at `askedAt`, unless somebody asked later. Payouts go to its bank while it is ready, and nowhere
 * else; none is what became of an account that Stripe does not know.
 */
export async function keepAccountState(
  ctx: Ctx,
  { publisherId, reference, askedAt }: { publisherId: AccountId; reference: string; askedAt: Date },
  found: ConnectedAccount | undefined,
): Promise<void> {
  await inTransaction(ctx, async (tx) => {
    const state = found?.state ?? "disabled";
    const [before] = await tx.db
      .select({ bank: payoutAccounts.bank, lastFour: payoutAccounts.lastFour, token: payoutAccounts.token })
      .from(payoutAccounts)
      .where(toStripeOf(publisherId));
    const changed = await tx.db
      .update(connectedAccounts)
      .set({ state, dueBy: found?.dueBy ?? null, askedAt })
      .where(
        and(
          ...[eq(connectedAccounts.publisherId, publisherId), eq(connectedAccounts.reference, reference)],
          lte(connectedAccounts.askedAt, askedAt),
        ),
      );
    if (changed.count === 0) return;
    const { bank } = found ?? {};
    const to = state === "ready" && bank ? bank : undefined;
    const token = to && payoutTokenFor({ account: reference, bank: to.id });
    if (before?.token === token && before?.bank === to?.name) return;
    if (to && token) await putAccount(tx, { publisherId, token, bank: to.name, lastFour: to.lastFour });
    else await tx.db.delete(payoutAccounts).where(toStripeOf(publisherId));
    await recordAudit(tx, {
      action: "payout_account.changed",
      entity: "payout_account",
      entityId: publisherId,
      accountId: publisherId,
      before: before && { last_four: before.lastFour },
      after: { last_four: to?.lastFour ?? null },
    });
  });
}

function toStripeOf(publisherId: AccountId) {
  return and(eq(payoutAccounts.publisherId, publisherId), eq(payoutAccounts.provider, "stripe"));
}

async function putAccount(
  ctx: Ctx,
  { publisherId, ...to }: { publisherId: AccountId; token: string; bank: string; lastFour: string },
): Promise<void> {
  const set = { provider: "stripe" as const, ...to, changedAt: ctx.clock() };
  await ctx.db
    .insert(payoutAccounts)
    .values({ publisherId, ...set })
    .onConflictDoUpdate({ target: payoutAccounts.publisherId, set });
}

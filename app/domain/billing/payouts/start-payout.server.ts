import { and, eq, inArray, sql } from "drizzle-orm";
import { nettedPlans, payoutAccounts, payouts, revenueShares, transactions } from "#db/schema/index.ts";
import { recordAudit } from "../../audit/record-audit.server.ts";
import type { CalendarDate } from "../../calendar-date.ts";
import type { Ctx } from "../../context.ts";
import { DomainError, invalidInput } from "../../errors.ts";
import { type AccountId, newId, type PayoutId, type TransactionId } from "../../ids.ts";
import { type Cents, dollarsOf, formatCents, toCents } from "../../money.ts";
import type { LedgerLeg } from "../ledger/ledger.ts";
import { lockLedgerAccounts } from "../ledger/ledger-accounts.server.ts";
import { postToLedger } from "../ledger/post-to-ledger.server.ts";
import { freeNettedPlans, freeShares, releasedBy, sumReleased } from "./free-earnings.server.ts";
import { minimumPayout, openPayoutStatuses } from "./payout.ts";
import { payoutsBy } from "./provider-of.server.ts";

type Start = {
  publisherId: AccountId;
  /** The day (UTC) as of which earnings are released. */
  day: CalendarDate;
  scheduledFor?: CalendarDate;
  /** What the publisher was told it is; another amount by now is said first. */
  amount?: Cents;
};

/**
 * Puts all that is available into a payout and on its way, within the caller's transaction. The publisher's account in the ledger is
 * locked first, so that of several at once one is made. Throws `invalid_transition` while one is on its way or without an
 * account to pay to, `limit_reached` below the minimum, and `invalid_input` when it is another amount.
 */
export async function startPayout(ctx: Ctx, input: Start): Promise<PayoutId> {
  const { publisherId, day, scheduledFor = null } = input;
  const ofPublisher = { account: "publisher_payable" as const, ownerId: publisherId };
  const accounts = await lockLedgerAccounts(ctx, [ofPublisher, { account: "in_transit" }]);
  await refuseSecond(ctx, publisherId);
  const to = await findAccount(ctx, publisherId);
  const amount = await sumReleased(ctx, { publisherId, day });
  requireAmount(amount, input.amount);
  const id = newId<PayoutId>();
  const now = ctx.clock();
  await ctx.db.insert(payouts).values({
    id,
    publisherId,
    status: "pending",
    amountCents: amount,
    scheduledFor,
    dueAt: now,
    createdAt: now,
    provider: to.provider,
    token: to.token,
    bank: to.bank,
    lastFour: to.lastFour,
  });
  await takeShares(ctx, { id, publisherId, day });
  const legs: LedgerLeg[] = [
    { ...ofPublisher, amount },
    { account: "in_transit", amount: toCents(-amount) },
  ];
  await postToLedger(ctx, {
    postings: [{ event: "payout_started", eventKey: `payout_started/${id}`, legs }],
    accounts,
  });
  await ctx.db.insert(transactions).values({
    id: newId<TransactionId>(),
    accountId: publisherId,
    type: "payout",
    status: "pending",
    payoutId: id,
    description: `Payout to ${to.bank} ending ${to.lastFour}`,
    amountCents: amount,
    createdAt: now,
  });
  const after = {
    amount: dollarsOf(amount),
    last_four: to.lastFour,
    ...(scheduledFor && { scheduled_for: scheduledFor }),
  };
  await recordAudit(ctx, { action: "payout.started", entity: "payout", entityId: id, accountId: publisherId, after });
  return id;
}

async function refuseSecond(ctx: Ctx, publisherId: AccountId): Promise<void> {
  const open = and(eq(payouts.publisherId, publisherId), inArray(payouts.status, [...openPayoutStatuses]));
  if ((await ctx.db.$count(payouts, open)) === 0) return;
  throw new DomainError(
    "invalid_transition",
    "A payout is on its way already. The next one is possible when it has arrived.",
  );
}

async function findAccount(ctx: Ctx, publisherId: AccountId) {
  const own = and(eq(payoutAccounts.publisherId, publisherId), eq(payoutAccounts.provider, payoutsBy()));
  const [account] = await ctx.db.select().from(payoutAccounts).where(own);
  if (account) return account;
  throw new DomainError("invalid_transition", "Add the bank account first that your earnings are paid to.");
}

function requireAmount(available: Cents, told: Cents | undefined): void {
  if (available < minimumPayout) {
    const words = `A payout is at least ${formatCents(minimumPayout)}; ${formatCents(available)} is available now.`;
    throw new DomainError("limit_reached", words);
  }
  if (told !== undefined && told !== available) {
    const words = `${formatCents(available)} is available now, not ${formatCents(told)}. Look at it and request it again.`;
    throw invalidInput({ amount: [words] }, words);
  }
}

/** The lines, by campaign and day, then the plans that were paid from earnings; each share and each plan is in one payout at a time. */
async function takeShares(
  ctx: Ctx,
  { id, publisherId, day }: { id: PayoutId; publisherId: AccountId; day: CalendarDate },
): Promise<void> {
  await ctx.db.execute(sql`
    insert into payout_lines (payout_id, number, publisher_id, revenue_share_id, amount_cents)
    select ${id}::uuid, row_number() over (order by item.campaign_name, item.id, ${revenueShares.revision}), ${revenueShares.publisherId}, ${revenueShares.id}, ${revenueShares.earningsCents}
    from ${revenueShares} join line_items item on item.id = ${revenueShares.lineItemId}
    where ${freeShares(publisherId)} and ${releasedBy(day)}`);
  await ctx.db
    .update(revenueShares)
    .set({ payoutId: id })
    .where(and(freeShares(publisherId), releasedBy(day)));
  await ctx.db.execute(sql`
    insert into payout_lines (payout_id, number, publisher_id, netted_plan_id, amount_cents)
    select ${id}::uuid, (select count(*) from payout_lines known where known.payout_id = ${id}::uuid) + row_number() over (order by ${nettedPlans.id}), ${nettedPlans.publisherId}, ${nettedPlans.id}, -${nettedPlans.amountCents}
    from ${nettedPlans} where ${freeNettedPlans(publisherId)}`);
  await ctx.db.update(nettedPlans).set({ payoutId: id }).where(freeNettedPlans(publisherId));
}

import { and, eq, inArray, sql } from "drizzle-orm";
import { requirePayoutProviderName } from "#app/domain/payments/active-payout-provider.server.ts";
import { payoutAccounts, payouts, planOffsets, repayments, revenueShares, transactions } from "#db/schema/index.ts";
import { recordAudit } from "../../audit/record-audit.server.ts";
import type { CalendarDate } from "../../calendar-date.ts";
import type { Ctx } from "../../context.ts";
import { DomainError, invalidInput } from "../../errors.ts";
import { type AccountId, newId, type PayoutId, type TransactionId } from "../../ids.ts";
import { asCents, type Cents, centsToDollars, formatCents } from "../../money.ts";
import type { LedgerLeg } from "../ledger/ledger.ts";
import { lockLedgerAccounts } from "../ledger/ledger-accounts.server.ts";
import { postToLedger } from "../ledger/post-to-ledger.server.ts";
import { minimumPayout, openPayoutStatuses } from "./payout.ts";
import {
  offsetsWithoutPayout,
  releasedBy,
  repaymentsWithoutPayout,
  sharesWithoutPayout,
  sumAvailableEarnings,
} from "./unpaid-earnings.server.ts";

type Start = {
  publisherId: AccountId;
  /** The day (UTC) as of which earnings are released. */
  day: CalendarDate;
  scheduledFor?: CalendarDate;
  /** The amount that the publisher saw. The payout is rejected if the balance has changed since. */
  amount?: Cents;
  /** The least amount that is paid out, $50 by default. */
  minimum?: Cents;
};

/**
 * Starts a payout of the whole available balance, within the caller's transaction. The publisher's ledger account is
 * locked first, so that of several concurrent requests one succeeds. Throws `invalid_transition` while a payout is in
 * progress or without a bank account, `limit_reached` below the minimum, and `invalid_input` when the balance differs
 * from `amount`. Returns the payout with its amount, in cents.
 */
export async function startPayout(ctx: Ctx, input: Start): Promise<{ id: PayoutId; amount: Cents }> {
  const { publisherId, day, scheduledFor = null, minimum = minimumPayout } = input;
  const payable = { account: "publisher_payable" as const, ownerId: publisherId };
  const own = await lockLedgerAccounts(ctx, [payable]);
  await requireNoOpenPayout(ctx, publisherId);
  const bankAccount = await findAccount(ctx, publisherId);
  const amount = await sumAvailableEarnings(ctx, { publisherId, day });
  requireAmount(amount, { expected: input.amount, minimum });
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
    provider: bankAccount.provider,
    token: bankAccount.token,
    bank: bankAccount.bank,
    lastFour: bankAccount.lastFour,
  });
  await assignSharesToPayout(ctx, { id, publisherId, day });
  // Only now, because the payouts of all publishers share it.
  const shared = await lockLedgerAccounts(ctx, [{ account: "in_transit" }]);
  const legs: LedgerLeg[] = [
    { ...payable, amount },
    { account: "in_transit", amount: asCents(-amount) },
  ];
  await postToLedger(ctx, {
    postings: [{ event: "payout_started", eventKey: `payout_started/${id}`, legs }],
    accounts: new Map([...own, ...shared]),
  });
  await ctx.db.insert(transactions).values({
    id: newId<TransactionId>(),
    accountId: publisherId,
    type: "payout",
    status: "pending",
    payoutId: id,
    description: `Payout to ${bankAccount.bank} ending ${bankAccount.lastFour}`,
    amountCents: amount,
    createdAt: now,
  });
  const after = {
    amount: centsToDollars(amount),
    last_four: bankAccount.lastFour,
    ...(scheduledFor && { scheduled_for: scheduledFor }),
  };
  await recordAudit(ctx, { action: "payout.started", entity: "payout", entityId: id, accountId: publisherId, after });
  return { id, amount };
}

async function requireNoOpenPayout(ctx: Ctx, publisherId: AccountId): Promise<void> {
  const open = and(eq(payouts.publisherId, publisherId), inArray(payouts.status, [...openPayoutStatuses]));
  if ((await ctx.db.$count(payouts, open)) === 0) return;
  throw new DomainError(
    "invalid_transition",
    "A payout is already in transit. You can request the next one after it arrives.",
  );
}

async function findAccount(ctx: Ctx, publisherId: AccountId) {
  const own = and(
    eq(payoutAccounts.publisherId, publisherId),
    eq(payoutAccounts.provider, requirePayoutProviderName()),
  );
  const [account] = await ctx.db.select().from(payoutAccounts).where(own);
  if (account) return account;
  throw new DomainError("invalid_transition", "Add a bank account before you request a payout");
}

function requireAmount(available: Cents, { expected, minimum }: { expected: Cents | undefined; minimum: Cents }): void {
  if (available < minimum) {
    const message = `The minimum payout is ${formatCents(minimum)}. You have ${formatCents(available)} available.`;
    throw new DomainError("limit_reached", message);
  }
  if (expected !== undefined && expected !== available) {
    const message = `Your available balance changed from ${formatCents(expected)} to ${formatCents(available)}. Check it and request the payout again.`;
    throw invalidInput({ amount: [message] }, message);
  }
}

/**
 * Inserts the lines of a payout: the revenue shares by campaign and day, then the plans that were offset against
 * earnings, then repayments. Each belongs to one payout at a time.
 */
async function assignSharesToPayout(
  ctx: Ctx,
  { id, publisherId, day }: { id: PayoutId; publisherId: AccountId; day: CalendarDate },
): Promise<void> {
  await ctx.db.execute(sql`
    insert into payout_lines (payout_id, number, publisher_id, revenue_share_id, amount_cents)
    select ${id}::uuid, row_number() over (order by item.campaign_name, item.id, ${revenueShares.revision}), ${revenueShares.publisherId}, ${revenueShares.id}, ${revenueShares.earningsCents}
    from ${revenueShares} join line_items item on item.id = ${revenueShares.lineItemId}
    where ${sharesWithoutPayout(publisherId)} and ${releasedBy(publisherId, day)}`);
  await ctx.db
    .update(revenueShares)
    .set({ payoutId: id })
    .where(and(sharesWithoutPayout(publisherId), releasedBy(publisherId, day)));
  await ctx.db.execute(sql`
    insert into payout_lines (payout_id, number, publisher_id, plan_offset_id, amount_cents)
    select ${id}::uuid, (select count(*) from payout_lines known where known.payout_id = ${id}::uuid) + row_number() over (order by ${planOffsets.id}), ${planOffsets.publisherId}, ${planOffsets.id}, -${planOffsets.amountCents}
    from ${planOffsets} where ${offsetsWithoutPayout(publisherId)}`);
  await ctx.db.update(planOffsets).set({ payoutId: id }).where(offsetsWithoutPayout(publisherId));
  await ctx.db.execute(sql`
    insert into payout_lines (payout_id, number, publisher_id, repayment_id, amount_cents)
    select ${id}::uuid, (select count(*) from payout_lines known where known.payout_id = ${id}::uuid) + row_number() over (order by ${repayments.id}), ${repayments.publisherId}, ${repayments.id}, ${repayments.amountCents}
    from ${repayments} where ${repaymentsWithoutPayout(publisherId)}`);
}

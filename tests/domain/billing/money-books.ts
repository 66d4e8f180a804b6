import { sql } from "drizzle-orm";
import { z } from "zod";
import { calendarDateOf } from "#app/domain/calendar-date.ts";
import type { Database } from "#db/client.server.ts";
import { columnValue, queryRows } from "#db/query-rows.server.ts";
import { accounts } from "#db/schema/index.ts";
import type { MoneyTestWorld } from "./money-events.ts";

/** Returns, for each rule of the books, how many rows violate it. */
export async function countViolations(db: Database): Promise<Record<string, string | number>> {
  const [row] = await queryRows(
    db,
    z.record(z.string(), z.union([z.string(), z.number()])),
    sql`
      select (select count(*)::int from (select transaction_id from ledger_entries group by 1 having sum(amount_cents) <> 0 or count(*) < 2) t) as unbalanced,
        (select coalesce(sum(balance_cents), 0)::text from ledger_accounts) as total,
        (select count(*)::int from ledger_accounts account where balance_cents <> (select coalesce(sum(amount_cents), 0) from ledger_entries entry where entry.account_id = account.id)) as balances,
        (select count(*)::int from ledger_accounts where kind = 'advertiser_wallet' and balance_cents > 0 or kind = 'advertiser_receivable' and balance_cents < 0) as below_limits,
        (select count(*)::int from revenue_shares where spend_cents <> earnings_cents + fee_cents) as splits,
        (select count(*)::int from payouts payout where amount_cents <> (select sum(amount_cents) from payout_lines line where line.payout_id = payout.id)) as payouts,
        (select count(*)::int from invoices invoice where amount_cents <> (select sum(amount_cents) from invoice_lines line where line.invoice_id = invoice.id)) as invoices,
        (select count(*)::int from (select advertiser_id, sum(open_cents) as cents from invoices group by 1) open
          join ledger_accounts debt on debt.owner_id = open.advertiser_id and debt.kind = 'advertiser_receivable' where debt.balance_cents < open.cents) as debts`,
  );
  return row ?? {};
}
export const noViolations = {
  unbalanced: 0,
  total: "0",
  balances: 0,
  below_limits: 0,
  splits: 0,
  payouts: 0,
  invoices: 0,
  debts: 0,
};

const providerTotalsRow = z.object({
  paid_in: z.string(),
  paid_for_plans: z.string(),
  paid_out: z.string(),
  on_the_way: z.string(),
});

/**
 * Returns the balances that follow from outside facts alone: delivery, the payments and transfers at the providers, and
 * the operator's refunds. `settled` is how much of each line item is settled, in cents.
 */
export async function expectedBalances(
  world: MoneyTestWorld,
  settled: ReadonlyMap<string, bigint>,
): Promise<Record<string, string>> {
  const { db, items } = world;
  const [providerTotals] = await queryRows(
    db,
    providerTotalsRow,
    sql`
      select (select coalesce(sum(amount_cents), 0)::text from sandbox_payments where state = 'succeeded') as paid_in,
        (select coalesce(sum(amount_cents), 0)::text from sandbox_payments where state = 'succeeded' and description like '% plan') as paid_for_plans,
        (select coalesce(sum(sent.amount_cents), 0)::text from sandbox_transfers sent join payouts payout on payout.id = sent.payout_id where sent.token = 'bank_sandbox' and payout.status = 'paid') as paid_out,
        (select coalesce(sum(amount_cents), 0)::text from payouts where status in ('pending', 'in_transit')) as on_the_way`,
  );
  // Reversals are booked up to the payment's amount.
  const reversed = await sumsBy(
    db,
    sql`select taken.payment_of as id, sum(least(taken.cents, paid.cents))::text as cents
      from (select payment_id, payment_of, sum(cents) as cents from outside_reversals group by 1, 2) taken
      join (select id, amount_cents as cents from top_ups union all select id, amount_cents from plan_changes) paid on paid.id = taken.payment_id group by 1`,
  );
  const reversedTopUps = await sumsBy(
    db,
    sql`select paid.account_id as id, sum(least(taken.cents, paid.amount_cents))::text as cents
      from (select payment_id, sum(cents) as cents from outside_reversals group by 1) taken join top_ups paid on paid.id = taken.payment_id group by 1`,
  );
  const granted = await sumsBy(
    db,
    sql`select line_item_id as id, sum(amount_cents)::text as cents from refunds where revision is null group by 1`,
  );
  const paid = await sumsBy(
    db,
    sql`select account_id as id, sum(amount_cents)::text as cents from top_ups where status = 'succeeded' group by 1`,
  );
  const paidOut = await sumsBy(
    db,
    sql`select publisher_id as id, sum(amount_cents)::text as cents from payouts where status <> 'failed' group by 1`,
  );
  const repaid = await queryRows(
    db,
    z.object({ id: z.string(), type: columnValue(accounts.type), cents: z.string() }),
    sql`select account.id, account.type, sum(received.amount_cents)::text as cents from repayments received
      join accounts account on account.id = coalesce(received.publisher_id, received.advertiser_id) group by 1`,
  );
  const returned = await queryRows(
    db,
    z.object({ id: z.string(), type: columnValue(accounts.type), cents: z.string() }),
    sql`select account.id, account.type, sum(sent.amount_cents)::text as cents from balance_returns sent join accounts account on account.id = sent.account_id group by 1`,
  );
  const paidFromEarnings = await sumsBy(
    db,
    sql`select account_id as id, sum(amount_cents)::text as cents from plan_changes where paid_from_earnings and status = 'succeeded' group by 1`,
  );
  const expected = new Map<string, bigint>();
  const add = (name: string, cents: bigint) => expected.set(name, (expected.get(name) ?? 0n) + cents);
  add("cash", BigInt(providerTotals?.paid_in ?? 0) - BigInt(providerTotals?.paid_out ?? 0));
  add("subscription_revenue", -BigInt(providerTotals?.paid_for_plans ?? 0) + (reversed.get("plan_changes") ?? 0n));
  for (const cents of reversed.values()) add("cash", -cents);
  for (const [id, cents] of reversedTopUps) add(`funds ${id}`, cents);
  add("in_transit", -BigInt(providerTotals?.on_the_way ?? 0));
  for (const [id, cents] of paid) add(`funds ${id}`, -cents);
  for (const [id, cents] of paidFromEarnings) {
    add(`publisher_payable ${id}`, cents);
    add("subscription_revenue", -cents);
  }
  for (const [id, cents] of paidOut) add(`publisher_payable ${id}`, cents);
  for (const { id, type, cents } of repaid) {
    add(type === "publisher" ? `publisher_payable ${id}` : `funds ${id}`, -BigInt(cents));
    add("cash", BigInt(cents));
  }
  for (const { id, type, cents } of returned) {
    add(type === "publisher" ? `publisher_payable ${id}` : `funds ${id}`, BigInt(cents));
    add("cash", -BigInt(cents));
  }
  for (const { id, advertiser, publisher, bps } of items) {
    const [spent, refunded] = [settled.get(id) ?? 0n, granted.get(id) ?? 0n];
    // Refunds are limited to the spend, also after a restatement.
    const refundedSpend = refunded < spent ? refunded : spent;
    const earned = shareOf(spent, bps) - shareOf(refundedSpend, bps);
    add(`funds ${advertiser}`, spent - refundedSpend);
    add(`publisher_payable ${publisher}`, -earned);
    add("platform_fee", -(spent - refundedSpend - earned));
  }
  return withoutZeroSums(expected);
}

/** Returns the ledger's balances, with an advertiser's wallet and receivable as one sum. */
export async function bookedBalances(db: Database): Promise<Record<string, string>> {
  const rows = await sumsBy(
    db,
    sql`select case when kind like 'advertiser_%' then 'funds ' || owner_id else trim(kind || ' ' || coalesce(owner_id::text, '')) end as id, sum(balance_cents)::text as cents from ledger_accounts group by 1`,
  );
  return withoutZeroSums(rows);
}

/**
 * Updates the model as settlement does: to the whole cents spent until yesterday, where the total spend differs from
 * the settled amount.
 */
export async function updateSettledModel(world: MoneyTestWorld, settled: Map<string, bigint>): Promise<void> {
  const today = calendarDateOf(world.now());
  const rows = await queryRows(
    world.db,
    z.object({ id: z.string(), all: z.string(), until: z.string() }),
    sql`
      select line_item_id as id, sum(spend_micros)::text as all, coalesce(sum(spend_micros) filter (where day < ${today}::date), 0)::text as until from deliveries group by 1`,
  );
  for (const { id, all, until } of rows) {
    if (BigInt(all) / 10_000n !== (settled.get(id) ?? 0n)) settled.set(id, BigInt(until) / 10_000n);
  }
}

const shareOf = (cents: bigint, bps: number) => (cents * BigInt(bps)) / 10_000n;

async function sumsBy(db: Database, query: ReturnType<typeof sql>): Promise<Map<string, bigint>> {
  const rows = await queryRows(db, z.object({ id: z.string(), cents: z.string() }), query);
  return new Map(rows.map(({ id, cents }) => [id, BigInt(cents)]));
}

/** Omits zero sums, so that an unused account and an empty one are equal. */
function withoutZeroSums(sums: ReadonlyMap<string, bigint>): Record<string, string> {
  return Object.fromEntries(
    [...sums].filter(([, cents]) => cents !== 0n).map(([name, cents]) => [name, String(cents)]),
  );
}

import { and, asc, eq, gt, isNull, sql } from "drizzle-orm";
import fc from "fast-check";
import { ZodError, z } from "zod";
import { recordBalanceReturn } from "#app/domain/billing/bank-transfers/record-balance-return.server.ts";
import { recordRepayment } from "#app/domain/billing/bank-transfers/record-repayment.server.ts";
import {
  reverseBalanceReturn,
  reverseRepayment,
} from "#app/domain/billing/bank-transfers/reverse-bank-transfer.server.ts";
import { issueInvoices } from "#app/domain/billing/invoices/issue-invoices.server.ts";
import { payInvoice } from "#app/domain/billing/invoices/pay-invoice.server.ts";
import { setDefaultPaymentMethod } from "#app/domain/billing/payment-methods/set-default-payment-method.server.ts";
import { releasedThrough } from "#app/domain/billing/payouts/payout.ts";
import { setPayoutAccount } from "#app/domain/billing/payouts/payout-account.server.ts";
import { payoutRequestSchema } from "#app/domain/billing/payouts/payout-payloads.ts";
import { requestPayout } from "#app/domain/billing/payouts/request-payout.server.ts";
import { sendDuePayouts } from "#app/domain/billing/payouts/send-due-payouts.server.ts";
import { startMonthlyPayouts } from "#app/domain/billing/payouts/start-monthly-payouts.server.ts";
import { planTypes } from "#app/domain/billing/plan.ts";
import { refundSpend } from "#app/domain/billing/refunds/refund-spend.server.ts";
import { reversalReasons } from "#app/domain/billing/reversals/reversal.ts";
import { reversePlanPayment } from "#app/domain/billing/reversals/reverse-plan-payment.server.ts";
import { reverseTopUp } from "#app/domain/billing/reversals/reverse-top-up.server.ts";
import { settleDelivery } from "#app/domain/billing/settle-delivery.server.ts";
import { cancelSubscription } from "#app/domain/billing/subscription/cancel-subscription.server.ts";
import { changePlan } from "#app/domain/billing/subscription/change-plan.server.ts";
import { finishDuePlanChanges } from "#app/domain/billing/subscription/finish-due-plan-changes.server.ts";
import { finishPlanChange } from "#app/domain/billing/subscription/finish-plan-change.server.ts";
import { planFundings } from "#app/domain/billing/subscription/plan-funding.ts";
import { renewDueSubscriptions } from "#app/domain/billing/subscription/renew-due-subscriptions.server.ts";
import { setPlanFunding } from "#app/domain/billing/subscription/set-plan-funding.server.ts";
import { finishDueTopUps } from "#app/domain/billing/wallet/finish-due-top-ups.server.ts";
import { finishTopUp } from "#app/domain/billing/wallet/finish-top-up.server.ts";
import { setCreditLimit } from "#app/domain/billing/wallet/set-credit-limit.server.ts";
import { topUpSchema } from "#app/domain/billing/wallet/top-up-payloads.ts";
import { topUpWallet } from "#app/domain/billing/wallet/top-up-wallet.server.ts";
import { addDays, type CalendarDate, calendarDateOf } from "#app/domain/calendar-date.ts";
import { calendarMonthOf } from "#app/domain/calendar-month.ts";
import { ingestDeliveryReport } from "#app/domain/delivery/ingest-delivery-report.server.ts";
import { DomainError } from "#app/domain/errors.ts";
import type { AccountId, PlanChangeId, TopUpId } from "#app/domain/ids.ts";
import { asCents } from "#app/domain/money.ts";
import { resolveSandboxPayment } from "#app/domain/payments/sandbox/sandbox-provider.server.ts";
import type { Database } from "#db/client.server.ts";
import { columnValue, queryRows } from "#db/query-rows.server.ts";
import { accounts, invoices, paymentReversals, payoutAccounts, planChanges, topUps } from "#db/schema/index.ts";
import { cards, firstDay, type MoneyItem, type MoneyWorld } from "./money-world.ts";

/** Amounts as requests send them: valid ones, and ones that must never become a ledger entry. */
const dollars = fc.oneof(
  { weight: 6, arbitrary: fc.constantFrom<unknown>(10, 10.01, 33.33, 99.99, 250, "1,200.50", 99_999.99, 100_000) },
  { weight: 2, arbitrary: fc.integer({ min: 10, max: 5_000 }) },
  { weight: 1, arbitrary: fc.constantFrom<unknown>(0, -50, 9.99, 10.001, 1e15, Number.NaN, "1e3", "-0", null) },
);
/** A day's spend in micros: near whole cents, zero, and over the daily budget. */
const micros = fc.oneof(
  fc.constantFrom(0, 1, 9_999, 10_000, 10_001, 19_999_999, 50_000_001, 123_456_789, 500_000_000_000),
  fc.integer({ min: 0, max: 400_000_000 }),
);
const [advertiserOrPublisherIndex, itemIndex] = [fc.nat({ max: 1 }), fc.nat({ max: 4 })];

export const deliveries = fc.record({
  does: fc.constant("deliver"),
  item: itemIndex,
  daysBack: fc.nat({ max: 3 }),
  source: advertiserOrPublisherIndex,
  micros,
});

export const refunds = fc.record({
  does: fc.constant("refund"),
  item: itemIndex,
  cents: fc.constantFrom(-1, 0, 1, 3, 99, 7_001, "all", "more"),
});

/** A payment is reversed at the provider, up to `cents` in total: zero when a dispute is won or a refund failed. */
export const reversals = fc.record({
  does: fc.constant("reverse"),
  of: fc.constantFrom("top_ups" as const, "top_ups" as const, "plan_changes" as const),
  which: fc.nat({ max: 5 }),
  reason: fc.constantFrom(...reversalReasons),
  cents: fc.constantFrom(0, 1, 700, 9_901, 10_000_000),
});

/** One event that moves money; `who` and `item` are indexes into the world's lists. */
export const moneyEvents = fc.oneof(
  {
    weight: 4,
    arbitrary: fc.record({
      does: fc.constant("top_up"),
      who: advertiserOrPublisherIndex,
      card: fc.nat({ max: 2 }),
      dollars,
      key: fc.nat({ max: 5 }),
    }),
  },
  { weight: 2, arbitrary: fc.record({ does: fc.constant("confirm"), confirmed: fc.boolean() }) },
  { weight: 8, arbitrary: deliveries },
  { weight: 7, arbitrary: fc.record({ does: fc.constant("settle"), days: fc.constantFrom(0, 0, 1, 1, 2, 9) }) },
  { weight: 4, arbitrary: refunds },
  {
    weight: 3,
    arbitrary: fc.record({
      does: fc.constant("request_payout"),
      who: advertiserOrPublisherIndex,
      closed: fc.boolean(),
      dollars: fc.constantFrom<unknown>(undefined, undefined, undefined, 50, -1, "x"),
    }),
  },
  { weight: 3, arbitrary: fc.record({ does: fc.constant("send_payouts") }) },
  {
    weight: 2,
    arbitrary: fc.record({
      does: fc.constant("repay"),
      who: advertiserOrPublisherIndex,
      cents: fc.constantFrom(-1, 0, 1, 99, "all", "more"),
      key: fc.nat({ max: 5 }),
    }),
  },
  {
    weight: 2,
    arbitrary: fc.record({
      does: fc.constant("reverse_repayment"),
      who: advertiserOrPublisherIndex,
      key: fc.nat({ max: 5 }),
    }),
  },
  {
    weight: 3,
    arbitrary: fc.record({
      does: fc.constant("pay_invoice"),
      who: advertiserOrPublisherIndex,
      card: fc.nat({ max: 2 }),
      key: fc.nat({ max: 5 }),
    }),
  },
  {
    weight: 3,
    arbitrary: fc.record({
      does: fc.constant("plan"),
      who: advertiserOrPublisherIndex,
      card: fc.nat({ max: 2 }),
      plan: fc.constantFrom(...planTypes),
      key: fc.nat({ max: 5 }),
    }),
  },
  {
    weight: 2,
    arbitrary: fc.record({
      does: fc.constant("plan_funding"),
      who: advertiserOrPublisherIndex,
      payFrom: fc.constantFrom(...planFundings),
    }),
  },
  { weight: 1, arbitrary: fc.record({ does: fc.constant("cancel_plan"), who: advertiserOrPublisherIndex }) },
  { weight: 2, arbitrary: fc.record({ does: fc.constant("renew"), days: fc.constantFrom(0, 1, 3, 31) }) },
  { weight: 3, arbitrary: reversals },
  { weight: 2, arbitrary: fc.record({ does: fc.constant("month"), times: fc.integer({ min: 1, max: 2 }) }) },
  {
    weight: 1,
    arbitrary: fc.record({
      does: fc.constant("credit"),
      who: advertiserOrPublisherIndex,
      cents: fc.constantFrom(-1, 0, 5_000, 1_000_000_001),
    }),
  },
) satisfies fc.Arbitrary<{ does: string }>;

const side = fc.constantFrom("advertisers" as const, "publishers" as const);

/** Closes an account for good. */
export const closings = fc.record({ does: fc.constant("close"), side, who: advertiserOrPublisherIndex });

/** Transfers of what closed accounts are owed, and their reversals. */
export const balanceReturnEvents = fc.oneof(
  {
    weight: 3,
    arbitrary: fc.record({
      does: fc.constant("return_balance"),
      side,
      who: advertiserOrPublisherIndex,
      cents: fc.constantFrom(-1, 0, 1, 99, "all", "more"),
      key: fc.nat({ max: 5 }),
    }),
  },
  {
    weight: 2,
    arbitrary: fc.record({
      does: fc.constant("reverse_return"),
      side,
      who: advertiserOrPublisherIndex,
      key: fc.nat({ max: 5 }),
    }),
  },
) satisfies fc.Arbitrary<{ does: string }>;

/** Transfers of closed advertisers that owe money, and their reversals. */
export const debtRepaymentEvents = fc.oneof(
  {
    weight: 3,
    arbitrary: fc.record({
      does: fc.constant("repay_debt"),
      who: advertiserOrPublisherIndex,
      cents: fc.constantFrom(-1, 0, 1, 99, "all", "more"),
      key: fc.nat({ max: 5 }),
    }),
  },
  {
    weight: 2,
    arbitrary: fc.record({
      does: fc.constant("reverse_debt_repayment"),
      who: advertiserOrPublisherIndex,
      key: fc.nat({ max: 5 }),
    }),
  },
) satisfies fc.Arbitrary<{ does: string }>;

/** The events of a world with closed accounts. */
export const eventsWithReturns = fc.oneof(
  { weight: 6, arbitrary: moneyEvents },
  { weight: 2, arbitrary: balanceReturnEvents },
  { weight: 1, arbitrary: debtRepaymentEvents },
);

type EventIn<Events> = Events extends fc.Arbitrary<infer Event> ? Event : never;
export type MoneyEvent =
  | EventIn<typeof moneyEvents>
  | EventIn<typeof closings>
  | EventIn<typeof balanceReturnEvents>
  | EventIn<typeof debtRepaymentEvents>;

/**
 * The world of one history, with its database (a transaction of its own, or the pool) and a clock that events advance.
 */
export type MoneyTestWorld = MoneyWorld & { db: Database; now: () => Date; passDays: (days: number) => void };

/**
 * Applies the event through the domain's own functions. Returns false for a domain or validation error; throws other
 * errors.
 */
export async function applyEvent(world: MoneyTestWorld, event: MoneyEvent): Promise<boolean> {
  try {
    await eventHandlers[event.does](world, event as never);
    return true;
  } catch (error) {
    if (error instanceof DomainError || error instanceof ZodError) return false;
    throw error;
  }
}

type EventOf<Does extends MoneyEvent["does"]> = Extract<MoneyEvent, { does: Does }>;
type EventHandler<Does extends MoneyEvent["does"]> = (world: MoneyTestWorld, event: EventOf<Does>) => Promise<unknown>;

const eventHandlers: { [Does in MoneyEvent["does"]]: EventHandler<Does> } = {
  async top_up(world, { who, card, dollars, key }) {
    const { amount } = topUpSchema.pick({ amount: true }).parse({ amount: dollars });
    const advertiser = { ...screenContext(world), actor: world.advertisers[who] ?? throwMissing() };
    const method = world.methods[`${advertiser.actor.accountId} ${cards[card]}`] ?? throwMissing();
    const input = {
      amount,
      payment_method_id: method,
      key: `top-up ${idempotencyKey(world, key)}`,
      returnPath: () => "/back" as const,
    };
    await topUpWallet(advertiser, input);
  },
  /** Confirms or declines the oldest plan payment and the oldest top-up that need confirmation. */
  async confirm(world, { confirmed }) {
    const isUnconfirmedChange = eq(planChanges.status, "needs_confirmation");
    const [change] = await world.db
      .select()
      .from(planChanges)
      .where(isUnconfirmedChange)
      .orderBy(asc(planChanges.id))
      .limit(1);
    if (change?.paymentId) {
      await resolveSandboxPayment(screenContext(world), { id: change.paymentId, confirmed });
      await finishPlanChange(jobContext(world), { id: change.id });
    }
    const isUnconfirmedTopUp = eq(topUps.status, "needs_confirmation");
    const [row] = await world.db.select().from(topUps).where(isUnconfirmedTopUp).orderBy(asc(topUps.id)).limit(1);
    if (!row?.paymentId) return;
    await resolveSandboxPayment(screenContext(world), { id: row.paymentId, confirmed });
    await finishTopUp(jobContext(world), { id: row.id });
  },
  async deliver(world, { item, daysBack, source, micros }) {
    const { campaignId, audienceId } = world.items[item] ?? throwMissing();
    const today = calendarDateOf(world.now());
    const day = [addDays(today, -daysBack), firstDay as CalendarDate].sort().at(-1) ?? today;
    const metrics = { impressions: 1_000, clicks: 10, conversions: 1, spendMicros: micros, revenueMicros: 1 };
    const row = { campaignId, audienceId, channel: "dv360" as const, day, source: `source ${source}`, ...metrics };
    await ingestDeliveryReport(jobContext(world), { rows: [{ ...row, reach: null, creatives: null }] });
  },
  async settle(world, { days }) {
    world.passDays(days);
    await settleDelivery(jobContext(world));
  },
  async refund(world, { item, cents }) {
    const lineItem = world.items[item] ?? throwMissing();
    const refundable = await refundableCents(world, lineItem);
    const amount = typeof cents === "number" ? cents : cents === "all" ? refundable : refundable + 1;
    const operator = { kind: "operator", name: "test operator" } as const;
    await refundSpend(
      { ...screenContext(world), actor: operator },
      { lineItemId: lineItem.id, amount: asCents(amount) },
    );
  },
  async request_payout(world, { who, closed, dollars }) {
    const { amount } = payoutRequestSchema.parse({ amount: dollars });
    const publisher = { ...screenContext(world), actor: world.publishers[who] ?? throwMissing() };
    await setPayoutAccount(publisher, { token: closed ? "bank_closed" : "bank_sandbox" });
    await requestPayout(publisher, { amount });
  },
  async send_payouts(world) {
    await sendDuePayouts(jobContext(world));
  },
  /**
   * The bank received a transfer of the publisher; one with a known reference is repeated, with the same amount or
   * another.
   */
  async repay(world, { who, cents, key }) {
    await repay(world, world.publishers[who] ?? throwMissing(), { cents, key });
  },
  /** The bank returned a transfer, or it was recorded for the wrong account. */
  async reverse_repayment(world, { who, key }) {
    await reverseRepaymentOf(world, world.publishers[who] ?? throwMissing(), key);
  },
  /** The same of an advertiser, which has to be closed. */
  async repay_debt(world, { who, cents, key }) {
    await repay(world, world.advertisers[who] ?? throwMissing(), { cents, key });
  },
  async reverse_debt_repayment(world, { who, key }) {
    await reverseRepaymentOf(world, world.advertisers[who] ?? throwMissing(), key);
  },
  /**
   * Closes an account, whatever its balance: at its closing it has none, but what is restated afterwards changes it.
   */
  async close(world, { side, who }) {
    const { accountId } = world[side][who] ?? throwMissing();
    await world.db.delete(payoutAccounts).where(eq(payoutAccounts.publisherId, accountId));
    const open = and(eq(accounts.id, accountId), isNull(accounts.closedAt));
    await world.db.update(accounts).set({ status: "suspended", closedAt: world.now() }).where(open);
  },
  /** We sent the balance of a closed account back; a known reference is repeated, with the same amount or another. */
  async return_balance(world, { side, who, cents, key }) {
    const { accountId } = world[side][who] ?? throwMissing();
    const returnable = await returnableCents(world, accountId);
    const amount = typeof cents === "number" ? cents : cents === "all" ? returnable : returnable + 1;
    const operator = { kind: "operator", name: "test operator" } as const;
    const transfer = { accountId, amount: asCents(amount), reference: idempotencyKey(world, key) };
    await recordBalanceReturn({ ...screenContext(world), actor: operator }, transfer);
  },
  /** The bank returned what we sent, or it was recorded for the wrong account. */
  async reverse_return(world, { side, who, key }) {
    const { accountId } = world[side][who] ?? throwMissing();
    const operator = { kind: "operator", name: "test operator" } as const;
    await reverseBalanceReturn(
      { ...screenContext(world), actor: operator },
      { accountId, reference: idempotencyKey(world, key) },
    );
  },
  /** Pays the advertiser's oldest open invoice. */
  async pay_invoice(world, { who, card, key }) {
    const actor = world.advertisers[who] ?? throwMissing();
    const open = and(eq(invoices.advertiserId, actor.accountId), gt(invoices.openCents, 0));
    const [invoice] = await world.db.select().from(invoices).where(open).orderBy(asc(invoices.number)).limit(1);
    if (!invoice) return;
    const method = world.methods[`${actor.accountId} ${cards[card]}`] ?? throwMissing();
    const input = {
      payment_method_id: method,
      key: `invoice ${invoice.number} ${key}`,
      returnPath: () => "/back" as const,
    };
    await payInvoice({ ...screenContext(world), actor }, { id: invoice.id, ...input });
  },
  async plan(world, { who, card, plan, key }) {
    const publisher = { ...screenContext(world), actor: world.publishers[who] ?? throwMissing() };
    const method = world.methods[`${publisher.actor.accountId} ${cards[card]}`] ?? throwMissing();
    await setDefaultPaymentMethod(publisher, { id: method });
    await changePlan(publisher, {
      planType: plan,
      key: `plan ${plan} ${idempotencyKey(world, key)}`,
      returnPath: () => "/back",
    });
  },
  async plan_funding(world, { who, payFrom }) {
    await setPlanFunding({ ...screenContext(world), actor: world.publishers[who] ?? throwMissing() }, { payFrom });
  },
  async cancel_plan(world, { who }) {
    await cancelSubscription({ ...screenContext(world), actor: world.publishers[who] ?? throwMissing() });
  },
  async renew(world, { days }) {
    world.passDays(days);
    await renewDueSubscriptions(jobContext(world));
    await finishDuePlanChanges(jobContext(world));
  },
  /**
   * The bank or the provider has reversed this amount of a payment in total; then the reversal is reported. A plan paid
   * from earnings has no payment to reverse.
   */
  async reverse(world, { of, which, reason, cents }) {
    const rows = await queryRows(
      world.db,
      z.object({ id: z.string() }),
      sql`select id from ${sql.raw(of)} where status = 'succeeded' and amount_cents > 0 and provider is not null order by id`,
    );
    const payment = rows[which % Math.max(1, rows.length)];
    if (!payment) throw new DomainError("not_found", "Nothing was paid yet");
    await world.db.execute(sql`
      insert into outside_reversals (payment_id, payment_of, reason, cents) values (${payment.id}, ${of}, ${reason}, ${cents})
      on conflict (payment_id, reason) do update set cents = excluded.cents`);
    await reportReversals(world, payment.id);
  },
  async month(world, { times }) {
    const now = world.now();
    const first = Date.UTC(now.getUTCFullYear(), now.getUTCMonth() + 1, 1);
    world.passDays((first - now.getTime()) / 86_400_000);
    for (let time = 0; time < times; time += 1) {
      await startMonthlyPayouts(jobContext(world));
      world.passDays(1 / 12);
      await issueInvoices(jobContext(world));
    }
    await finishDueTopUps(jobContext(world));
  },
  async credit(world, { who, cents }) {
    const operator = { kind: "operator", name: "test operator" } as const;
    const accountId = world.advertisers[who]?.accountId ?? throwMissing();
    await setCreditLimit({ ...screenContext(world), actor: operator }, { accountId, amount: asCents(cents) });
  },
};

async function repay(
  world: MoneyTestWorld,
  { accountId }: { accountId: AccountId },
  { cents, key }: { cents: number | string; key: number },
): Promise<void> {
  const owed = await owedCents(world, accountId);
  const amount = typeof cents === "number" ? cents : cents === "all" ? owed : owed + 1;
  const operator = { kind: "operator", name: "test operator" } as const;
  const transfer = { accountId, amount: asCents(amount), reference: idempotencyKey(world, key) };
  await recordRepayment({ ...screenContext(world), actor: operator }, transfer);
}

async function reverseRepaymentOf(
  world: MoneyTestWorld,
  { accountId }: { accountId: AccountId },
  key: number,
): Promise<void> {
  const operator = { kind: "operator", name: "test operator" } as const;
  const reference = idempotencyKey(world, key);
  await reverseRepayment({ ...screenContext(world), actor: operator }, { accountId, reference });
}

const reversalRow = z.object({
  id: z.string(),
  payment_of: z.string(),
  reason: columnValue(paymentReversals.reason),
  cents: z.string(),
});

/** Reports the reversals at the provider to the product, of one payment or of all. */
export async function reportReversals(world: MoneyTestWorld, paymentId?: string): Promise<void> {
  const rows = await queryRows(
    world.db,
    reversalRow,
    sql`
      select payment_id as id, payment_of, reason, cents::text as cents from outside_reversals
      where ${paymentId ? sql`payment_id = ${paymentId}` : sql`true`} order by payment_id, reason`,
  );
  const toReversal = ({ id, reason, cents }: (typeof rows)[number]) => {
    return { reference: `${reason} ${id}`, reason, amount: asCents(Number(cents)) };
  };
  for (const { id, payment_of } of new Map(rows.map((row) => [row.id, row])).values()) {
    const reversals = rows.filter((row) => row.id === id).map(toReversal);
    if (payment_of === "top_ups") await reverseTopUp(jobContext(world), { id: id as TopUpId, reversals });
    else await reversePlanPayment(jobContext(world), { id: id as PlanChangeId, reversals });
  }
}

const screenContext = ({ db, now }: MoneyTestWorld) => ({
  db,
  clock: now,
  entrypoint: "screen" as const,
  report: () => undefined,
});
const jobContext = (world: MoneyTestWorld) => ({
  ...screenContext(world),
  entrypoint: "job" as const,
  actor: { kind: "job" as const, name: "test" },
});
/** Returns a key that repeats within a month and is new in the next one. */
const idempotencyKey = ({ now }: MoneyTestWorld, key: number) => `${calendarMonthOf(now())} ${key}`;
const throwMissing = (): never => {
  throw new Error("the history names what is not in its world");
};

/** Returns what an account owes, in cents; negative when it is owed money. */
async function owedCents({ db }: MoneyTestWorld, accountId: AccountId): Promise<number> {
  const [row] = await queryRows(
    db,
    z.object({ cents: z.string() }),
    sql`select coalesce(sum(balance_cents), 0)::text as cents from ledger_accounts where owner_id = ${accountId}`,
  );
  return Number(row?.cents ?? 0);
}

/** Returns what of an account's balance is neither held nor reserved for unsettled spend, in cents. */
async function returnableCents({ db, now }: MoneyTestWorld, accountId: AccountId): Promise<number> {
  const [row] = await queryRows(
    db,
    z.object({ cents: z.string() }),
    sql`
      select (coalesce((select -sum(balance_cents) from ledger_accounts where owner_id = ${accountId}), 0)
        - greatest(0, coalesce((select cents from unsettled_spend where advertiser_id = ${accountId}), 0))
        - coalesce((select sum(item.held - least(0, item.lowest)) from (select sum(day.cents) as held, min(day.total) as lowest, day.line_item_id from (
            select line_item_id, earnings_cents as cents, sum(earnings_cents) over (partition by line_item_id order by settled_through) as total from revenue_shares
            where publisher_id = ${accountId} and payout_id is null and settled_through > ${releasedThrough(calendarDateOf(now()))}::date
          ) day group by day.line_item_id) item), 0))::text as cents`,
  );
  return Number(row?.cents ?? 0);
}

/** Returns how much of a line item's spend can still be refunded, in cents. */
async function refundableCents({ db }: MoneyTestWorld, { id }: MoneyItem): Promise<number> {
  const [row] = await queryRows(
    db,
    z.object({ cents: z.string() }),
    sql`
      select (coalesce((select spend_cents from line_item_settlements where line_item_id = ${id}), 0)
        - coalesce((select sum(amount_cents) from refunds where line_item_id = ${id}), 0))::text as cents`,
  );
  return Number(row?.cents ?? 0);
}

import { and, asc, eq, gt, sql } from "drizzle-orm";
import fc from "fast-check";
import { ZodError, z } from "zod";
import { issueInvoices } from "#app/domain/billing/invoices/issue-invoices.server.ts";
import { payInvoice } from "#app/domain/billing/invoices/pay-invoice.server.ts";
import { chooseDefaultMethod } from "#app/domain/billing/payments/choose-default-method.server.ts";
import { endPayment } from "#app/domain/billing/payments/sandbox-provider.server.ts";
import { setPayoutAccount } from "#app/domain/billing/payouts/payout-account.server.ts";
import { payoutRequestSchema } from "#app/domain/billing/payouts/payout-payloads.ts";
import { requestPayout } from "#app/domain/billing/payouts/request-payout.server.ts";
import { sendDuePayouts } from "#app/domain/billing/payouts/send-due-payouts.server.ts";
import { startMonthlyPayouts } from "#app/domain/billing/payouts/start-monthly-payouts.server.ts";
import { planTypes } from "#app/domain/billing/plan.ts";
import { refundSpend } from "#app/domain/billing/refunds/refund-spend.server.ts";
import { settleDelivery } from "#app/domain/billing/settle-delivery.server.ts";
import { cancelSubscription } from "#app/domain/billing/subscription/cancel-subscription.server.ts";
import { changePlan } from "#app/domain/billing/subscription/change-plan.server.ts";
import { choosePlanFunding } from "#app/domain/billing/subscription/choose-plan-funding.server.ts";
import { finishDuePlanChanges } from "#app/domain/billing/subscription/finish-due-plan-changes.server.ts";
import { finishPlanChange } from "#app/domain/billing/subscription/finish-plan-change.server.ts";
import { planFundings } from "#app/domain/billing/subscription/plan-funding.ts";
import { renewDueSubscriptions } from "#app/domain/billing/subscription/renew-due-subscriptions.server.ts";
import { takeBackPlan } from "#app/domain/billing/taken-back/take-back-plan.server.ts";
import { takeBackTopUp } from "#app/domain/billing/taken-back/take-back-top-up.server.ts";
import { takenBackReasons } from "#app/domain/billing/taken-back/taken-back.ts";
import { finishDueTopUps } from "#app/domain/billing/wallet/finish-due-top-ups.server.ts";
import { finishTopUp } from "#app/domain/billing/wallet/finish-top-up.server.ts";
import { setCreditLimit } from "#app/domain/billing/wallet/set-credit-limit.server.ts";
import { topUpSchema } from "#app/domain/billing/wallet/top-up-payloads.ts";
import { topUpWallet } from "#app/domain/billing/wallet/top-up-wallet.server.ts";
import { addDays, type CalendarDate, calendarDateOf } from "#app/domain/calendar-date.ts";
import { calendarMonthOf } from "#app/domain/calendar-month.ts";
import { reportDelivery } from "#app/domain/delivery/report-delivery.server.ts";
import { DomainError } from "#app/domain/errors.ts";
import type { PlanChangeId, TopUpId } from "#app/domain/ids.ts";
import { toCents } from "#app/domain/money.ts";
import type { Database } from "#db/client.server.ts";
import { columnValue, queryRows } from "#db/query-rows.server.ts";
import { invoices, paymentsTakenBack, planChanges, topUps } from "#db/schema/index.ts";
import { cards, firstDay, type MoneyItem, type MoneyWorld } from "./money-world.ts";

/** Amounts as they come over the wire: good ones, and what must never become an entry. */
const dollars = fc.oneof(
  { weight: 6, arbitrary: fc.constantFrom<unknown>(10, 10.01, 33.33, 99.99, 250, "1,200.50", 99_999.99, 100_000) },
  { weight: 2, arbitrary: fc.integer({ min: 10, max: 5_000 }) },
  { weight: 1, arbitrary: fc.constantFrom<unknown>(0, -50, 9.99, 10.001, 1e15, Number.NaN, "1e3", "-0", null) },
);
/** What a day brings, in micros: around whole cents, nothing at all, and more than the day's budget. */
const micros = fc.oneof(
  fc.constantFrom(0, 1, 9_999, 10_000, 10_001, 19_999_999, 50_000_001, 123_456_789, 500_000_000_000),
  fc.integer({ min: 0, max: 400_000_000 }),
);
const [two, five] = [fc.nat({ max: 1 }), fc.nat({ max: 4 })];

export const deliveries = fc.record({
  does: fc.constant("deliver"),
  item: five,
  daysBack: fc.nat({ max: 3 }),
  source: two,
  micros,
});

/** One thing that happens to money; `who` and `item` are places in the world's lists. */
export const moneyEvents = fc.oneof(
  {
    weight: 4,
    arbitrary: fc.record({
      does: fc.constant("top_up"),
      who: two,
      card: fc.nat({ max: 2 }),
      dollars,
      key: fc.nat({ max: 5 }),
    }),
  },
  { weight: 2, arbitrary: fc.record({ does: fc.constant("confirm"), confirmed: fc.boolean() }) },
  { weight: 8, arbitrary: deliveries },
  { weight: 7, arbitrary: fc.record({ does: fc.constant("settle"), days: fc.constantFrom(0, 0, 1, 1, 2, 9) }) },
  {
    weight: 4,
    arbitrary: fc.record({
      does: fc.constant("refund"),
      item: five,
      cents: fc.constantFrom(-1, 0, 1, 3, 99, 7_001, "all", "more"),
    }),
  },
  {
    weight: 3,
    arbitrary: fc.record({
      does: fc.constant("request_payout"),
      who: two,
      closed: fc.boolean(),
      dollars: fc.constantFrom<unknown>(undefined, undefined, undefined, 50, -1, "x"),
    }),
  },
  { weight: 3, arbitrary: fc.record({ does: fc.constant("send_payouts") }) },
  {
    weight: 3,
    arbitrary: fc.record({
      does: fc.constant("pay_invoice"),
      who: two,
      card: fc.nat({ max: 2 }),
      key: fc.nat({ max: 5 }),
    }),
  },
  {
    weight: 3,
    arbitrary: fc.record({
      does: fc.constant("plan"),
      who: two,
      card: fc.nat({ max: 2 }),
      plan: fc.constantFrom(...planTypes),
      key: fc.nat({ max: 5 }),
    }),
  },
  {
    weight: 2,
    arbitrary: fc.record({ does: fc.constant("plan_funding"), who: two, payFrom: fc.constantFrom(...planFundings) }),
  },
  { weight: 1, arbitrary: fc.record({ does: fc.constant("cancel_plan"), who: two }) },
  { weight: 2, arbitrary: fc.record({ does: fc.constant("renew"), days: fc.constantFrom(0, 1, 3, 31) }) },
  {
    weight: 3,
    arbitrary: fc.record({
      does: fc.constant("take_back"),
      of: fc.constantFrom("top_ups" as const, "top_ups" as const, "plan_changes" as const),
      which: fc.nat({ max: 5 }),
      reason: fc.constantFrom(...takenBackReasons),
      // Nothing: it came back.
      cents: fc.constantFrom(0, 1, 700, 9_901, 10_000_000),
    }),
  },
  { weight: 2, arbitrary: fc.record({ does: fc.constant("month"), times: fc.integer({ min: 1, max: 2 }) }) },
  {
    weight: 1,
    arbitrary: fc.record({
      does: fc.constant("credit"),
      who: two,
      cents: fc.constantFrom(-1, 0, 5_000, 1_000_000_001),
    }),
  },
) satisfies fc.Arbitrary<{ does: string }>;
export type MoneyEvent = typeof moneyEvents extends fc.Arbitrary<infer Event> ? Event : never;

/** Where a history happens: its database (a transaction of its own, or the pool) and its clock, which it moves on. */
export type Place = MoneyWorld & { db: Database; now: () => Date; passDays: (days: number) => void };

/** Lets it happen through the product's own verbs. False where it was refused in words; anything else is thrown. */
export async function happen(place: Place, event: MoneyEvent): Promise<boolean> {
  try {
    await acts[event.does](place, event as never);
    return true;
  } catch (error) {
    if (error instanceof DomainError || error instanceof ZodError) return false;
    throw error;
  }
}

type Of<Does extends MoneyEvent["does"]> = Extract<MoneyEvent, { does: Does }>;
type Act<Does extends MoneyEvent["does"]> = (place: Place, event: Of<Does>) => Promise<unknown>;

const acts: { [Does in MoneyEvent["does"]]: Act<Does> } = {
  async top_up(place, { who, card, dollars, key }) {
    const { amount } = topUpSchema.pick({ amount: true }).parse({ amount: dollars });
    const advertiser = { ...at(place), actor: place.advertisers[who] ?? missing() };
    const method = place.methods[`${advertiser.actor.accountId} ${cards[card]}`] ?? missing();
    const input = {
      amount,
      payment_method_id: method,
      key: `top-up ${keyOf(place, key)}`,
      returnPath: () => "/back" as const,
    };
    await topUpWallet(advertiser, input);
  },
  /** Somebody comes back to the oldest payments that wait for a yes: of a plan, and into a wallet. */
  async confirm(place, { confirmed }) {
    const asked = eq(planChanges.status, "needs_confirmation");
    const [change] = await place.db.select().from(planChanges).where(asked).orderBy(asc(planChanges.id)).limit(1);
    if (change?.paymentId) {
      await endPayment(at(place), { id: change.paymentId, confirmed });
      await finishPlanChange(job(place), { id: change.id });
    }
    const waiting = eq(topUps.status, "needs_confirmation");
    const [row] = await place.db.select().from(topUps).where(waiting).orderBy(asc(topUps.id)).limit(1);
    if (!row?.paymentId) return;
    await endPayment(at(place), { id: row.paymentId, confirmed });
    await finishTopUp(job(place), { id: row.id });
  },
  async deliver(place, { item, daysBack, source, micros }) {
    const { campaignId, audienceId } = place.items[item] ?? missing();
    const today = calendarDateOf(place.now());
    const day = [addDays(today, -daysBack), firstDay as CalendarDate].sort().at(-1) ?? today;
    const figures = { impressions: 1_000, clicks: 10, conversions: 1, spendMicros: micros, revenueMicros: 1 };
    const row = { campaignId, audienceId, channel: "dv360" as const, day, source: `source ${source}`, ...figures };
    await reportDelivery(job(place), { rows: [{ ...row, reach: null, creatives: null }] });
  },
  async settle(place, { days }) {
    place.passDays(days);
    await settleDelivery(job(place));
  },
  async refund(place, { item, cents }) {
    const wanted = place.items[item] ?? missing();
    const left = await leftOf(place, wanted);
    const amount = typeof cents === "number" ? cents : cents === "all" ? left : left + 1;
    const operator = { kind: "operator", name: "test operator" } as const;
    await refundSpend({ ...at(place), actor: operator }, { lineItemId: wanted.id, amount: toCents(amount) });
  },
  async request_payout(place, { who, closed, dollars }) {
    const { amount } = payoutRequestSchema.parse({ amount: dollars });
    const publisher = { ...at(place), actor: place.publishers[who] ?? missing() };
    await setPayoutAccount(publisher, { token: closed ? "bank_closed" : "bank_sandbox" });
    await requestPayout(publisher, { amount });
  },
  async send_payouts(place) {
    await sendDuePayouts(job(place));
  },
  /** The oldest that is open. */
  async pay_invoice(place, { who, card, key }) {
    const actor = place.advertisers[who] ?? missing();
    const open = and(eq(invoices.advertiserId, actor.accountId), gt(invoices.openCents, 0));
    const [invoice] = await place.db.select().from(invoices).where(open).orderBy(asc(invoices.number)).limit(1);
    if (!invoice) return;
    const method = place.methods[`${actor.accountId} ${cards[card]}`] ?? missing();
    const input = {
      payment_method_id: method,
      key: `invoice ${invoice.number} ${key}`,
      returnPath: () => "/back" as const,
    };
    await payInvoice({ ...at(place), actor }, { id: invoice.id, ...input });
  },
  async plan(place, { who, card, plan, key }) {
    const publisher = { ...at(place), actor: place.publishers[who] ?? missing() };
    const method = place.methods[`${publisher.actor.accountId} ${cards[card]}`] ?? missing();
    await chooseDefaultMethod(publisher, { id: method });
    await changePlan(publisher, {
      planType: plan,
      key: `plan ${plan} ${keyOf(place, key)}`,
      returnPath: () => "/back",
    });
  },
  async plan_funding(place, { who, payFrom }) {
    await choosePlanFunding({ ...at(place), actor: place.publishers[who] ?? missing() }, { payFrom });
  },
  async cancel_plan(place, { who }) {
    await cancelSubscription({ ...at(place), actor: place.publishers[who] ?? missing() });
  },
  async renew(place, { days }) {
    place.passDays(days);
    await renewDueSubscriptions(job(place));
    await finishDuePlanChanges(job(place));
  },
  /**
   * A bank, or somebody at the provider's, has so much of a payment from now on; then the product is told. A plan that was paid from
   * earnings was never in their hands.
   */
  async take_back(place, { of, which, reason, cents }) {
    const rows = await queryRows(
      place.db,
      z.object({ id: z.string() }),
      sql`select id from ${sql.raw(of)} where status = 'succeeded' and amount_cents > 0 and provider is not null order by id`,
    );
    const paid = rows[which % Math.max(1, rows.length)];
    if (!paid) throw new DomainError("not_found", "Nothing was paid yet");
    await place.db.execute(sql`
      insert into outside_takings (payment_id, payment_of, reason, cents) values (${paid.id}, ${of}, ${reason}, ${cents})
      on conflict (payment_id, reason) do update set cents = excluded.cents`);
    await tellTakings(place, paid.id);
  },
  async month(place, { times }) {
    const now = place.now();
    const first = Date.UTC(now.getUTCFullYear(), now.getUTCMonth() + 1, 1);
    place.passDays((first - now.getTime()) / 86_400_000);
    for (let time = 0; time < times; time += 1) {
      await startMonthlyPayouts(job(place));
      place.passDays(1 / 12);
      await issueInvoices(job(place));
    }
    await finishDueTopUps(job(place));
  },
  async credit(place, { who, cents }) {
    const operator = { kind: "operator", name: "test operator" } as const;
    const accountId = place.advertisers[who]?.accountId ?? missing();
    await setCreditLimit({ ...at(place), actor: operator }, { accountId, amount: toCents(cents) });
  },
};

const takingRow = z.object({
  id: z.string(),
  payment_of: z.string(),
  reason: columnValue(paymentsTakenBack.reason),
  cents: z.string(),
});

/** Tells the product what is gone of a payment, or of all. */
export async function tellTakings(place: Place, paymentId?: string): Promise<void> {
  const rows = await queryRows(
    place.db,
    takingRow,
    sql`
      select payment_id as id, payment_of, reason, cents::text as cents from outside_takings
      where ${paymentId ? sql`payment_id = ${paymentId}` : sql`true`} order by payment_id, reason`,
  );
  const taking = ({ id, reason, cents }: (typeof rows)[number]) => {
    return { reference: `${reason} ${id}`, reason, amount: toCents(Number(cents)) };
  };
  for (const { id, payment_of } of new Map(rows.map((row) => [row.id, row])).values()) {
    const takings = rows.filter((row) => row.id === id).map(taking);
    if (payment_of === "top_ups") await takeBackTopUp(job(place), { id: id as TopUpId, takings });
    else await takeBackPlan(job(place), { id: id as PlanChangeId, takings });
  }
}

const at = ({ db, now }: Place) => ({ db, clock: now, door: "screen" as const, report: () => undefined });
const job = (place: Place) => ({ ...at(place), door: "job" as const, actor: { kind: "job" as const, name: "test" } });
/** One of the month's: used again within it, and never all used up. */
const keyOf = ({ now }: Place, key: number) => `${calendarMonthOf(now())} ${key}`;
const missing = (): never => {
  throw new Error("the history names what is not in its world");
};

/** What of a line item can still be given back, in cents. */
async function leftOf({ db }: Place, { id }: MoneyItem): Promise<number> {
  const [row] = await queryRows(
    db,
    z.object({ cents: z.string() }),
    sql`
      select (coalesce((select spend_cents from line_item_settlements where line_item_id = ${id}), 0)
        - coalesce((select sum(amount_cents) from refunds where line_item_id = ${id}), 0))::text as cents`,
  );
  return Number(row?.cents ?? 0);
}

import { issueInvoices } from "#app/domain/billing/invoices/issue-invoices.server.ts";
import { listInvoices } from "#app/domain/billing/invoices/list-invoices.server.ts";
import { payInvoice } from "#app/domain/billing/invoices/pay-invoice.server.ts";
import { addPaymentMethod } from "#app/domain/billing/payment-methods/add-payment-method.server.ts";
import { listPaymentMethods } from "#app/domain/billing/payment-methods/list-payment-methods.server.ts";
import { setCreditLimit } from "#app/domain/billing/wallet/set-credit-limit.server.ts";
import { addMonths, calendarMonthOf, firstInstantOf } from "#app/domain/calendar-month.ts";
import type { AdvertiserActor, Ctx, JobActor, OperatorActor } from "#app/domain/context.ts";
import { asCents } from "#app/domain/money.ts";

const daysOfCredit = 98;
const creditLimit = asCents(12_000_000);
/** The number of days between the issue of an invoice and its payment. */
const daysToPay = 12;
/** The number of newest invoices that are not paid yet. */
const leftOpen = 2;
const [hour, day] = [3_600_000, 86_400_000];

type Actors = {
  asAdvertiser: (clock: () => Date) => Ctx<AdvertiserActor>;
  asOperator: (clock: () => Date) => Ctx<OperatorActor>;
  asJob: (clock: () => Date) => Ctx<JobActor>;
};

/**
 * Brightside spends on credit: it has an invoice of each month, has paid the older ones by card, and owes the newest
 * two.
 */
export function creditSteps(now: Date, { asAdvertiser, asOperator, asJob }: Actors) {
  const begin = new Date(now.getTime() - daysOfCredit * day);
  const creditLimitEntry = {
    at: begin,
    run: async (clock: () => Date) => {
      const { actor } = asAdvertiser(clock);
      await setCreditLimit(asOperator(clock), { accountId: actor.accountId, amount: creditLimit });
      await addPaymentMethod(asAdvertiser(clock), { token: "tok_mastercard" });
    },
  };
  const issues = monthEnds(begin, now).map((end) => new Date(end.getTime() + hour));
  const issued = issues.map((at) => ({ at, run: (clock: () => Date) => issueInvoices(asJob(clock)) }));
  const paid = issues.slice(0, -leftOpen).map((at) => ({
    at: new Date(at.getTime() + daysToPay * day),
    run: (clock: () => Date) => payOldest(asAdvertiser(clock)),
  }));
  return [creditLimitEntry, ...issued, ...paid];
}

/** The instants one hour after the end of each month. */
function monthEnds(from: Date, until: Date): Date[] {
  const ends: Date[] = [];
  for (let month = addMonths(calendarMonthOf(from), 1); ; month = addMonths(month, 1)) {
    const end = firstInstantOf(month);
    if (end.getTime() + hour > until.getTime()) return ends;
    ends.push(end);
  }
}

/** A month without spend has no invoice. */
async function payOldest(ctx: Ctx<AdvertiserActor>): Promise<void> {
  const [method] = await listPaymentMethods(ctx);
  const invoice = (await listInvoices(ctx, {})).rows.findLast(({ open }) => open > 0);
  if (!method || !invoice) return;
  const key = `seed/${invoice.number}`;
  const returnPath = () => "/advertiser/billing" as const;
  await payInvoice(ctx, { id: invoice.id, payment_method_id: method.id, key, returnPath });
}

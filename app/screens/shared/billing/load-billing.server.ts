import { findSubscription } from "#app/domain/billing/find-subscription.server.ts";
import { summarizeInvoices } from "#app/domain/billing/invoices/list-invoices.server.ts";
import {
  findFirstRevenueMonth,
  listRevenueShares,
  sumEarningsByStatus,
} from "#app/domain/billing/list-revenue-shares.server.ts";
import {
  findFirstTransactionMonth,
  listTransactions,
  sumAdSpend,
} from "#app/domain/billing/list-transactions.server.ts";
import { listPaymentMethods } from "#app/domain/billing/payments/list-payment-methods.server.ts";
import { readPlanFunding } from "#app/domain/billing/subscription/choose-plan-funding.server.ts";
import { countPlanUse } from "#app/domain/billing/subscription/plan-use.server.ts";
import { getWallet } from "#app/domain/billing/wallet/get-wallet.server.ts";
import { calendarMonthOf, monthsSince } from "#app/domain/calendar-month.ts";
import type { Ctx, PublisherActor, TenantActor } from "#app/domain/context.ts";
import { inSnapshot } from "#app/domain/transaction.server.ts";
import type { BillingSearch } from "./billing-search.ts";
import { readBillingSearch } from "./read-billing-search.server.ts";

const pageSize = 25;
/** Recent transactions show 5 items (specification, section 9). */
const recent = 5;

/** All that the tab of the address shows, of one moment. */
export async function loadBilling(ctx: Ctx<TenantActor>, request: Request) {
  const search = readBillingSearch(request, ctx.actor.kind);
  return inSnapshot(ctx, async (tx) => {
    switch (search.tab) {
      case "overview":
        return { tab: "overview" as const, search, ...(await loadOverview(tx)) };
      case "earnings":
        return { tab: "earnings" as const, search, ...(await loadEarnings(asPublisher(tx), search)) };
      case "methods":
        return { tab: "methods" as const, search, methods: await listPaymentMethods(tx) };
      case "subscription":
        return { tab: "subscription" as const, search, ...(await loadSubscription(asPublisher(tx))) };
      case "spend":
      case "transactions":
        return { tab: search.tab, search, ...(await loadTransactions(tx, search)) };
    }
  });
}

/** Only the publisher loads revenue shares and sees the monthly subscription (specification, section 6). */
async function loadOverview(ctx: Ctx<TenantActor>) {
  const { rows: transactions } = await listTransactions(ctx, { limit: recent });
  if (ctx.actor.kind === "advertiser") {
    const own = { ...ctx, actor: ctx.actor };
    const [wallet, invoices] = [await getWallet(own), await summarizeInvoices(own)];
    return { transactions, spend: await sumAdSpend(ctx), wallet, invoices, earnings: null };
  }
  const earnings = await sumEarningsByStatus(asPublisher(ctx));
  return { transactions, spend: null, earnings, subscription: (await findSubscription(ctx)) ?? null };
}

async function loadSubscription(ctx: Ctx<PublisherActor>) {
  const [first] = await listPaymentMethods(ctx);
  return {
    subscription: (await findSubscription(ctx)) ?? null,
    used: await countPlanUse(ctx, ctx.actor.accountId),
    method: first?.isDefault ? first : null,
    funding: await readPlanFunding(ctx),
  };
}

async function loadTransactions(ctx: Ctx<TenantActor>, { type, month, cursor }: BillingSearch) {
  const first = await findFirstTransactionMonth(ctx);
  return {
    months: first ? monthsSince(first, calendarMonthOf(ctx.clock())) : [],
    page: await listTransactions(ctx, { type, month, cursor, limit: pageSize }),
    spend: ctx.actor.kind === "advertiser" ? await sumAdSpend(ctx) : null,
  };
}

async function loadEarnings(ctx: Ctx<PublisherActor>, { status, month, cursor }: BillingSearch) {
  const first = await findFirstRevenueMonth(ctx);
  return {
    months: first ? monthsSince(first, calendarMonthOf(ctx.clock())) : [],
    page: await listRevenueShares(ctx, { status, month, cursor, limit: pageSize }),
    earnings: await sumEarningsByStatus(ctx),
  };
}

/** The side of the address is the actor's, so that an advertiser never comes here. */
export function asPublisher(ctx: Ctx<TenantActor>): Ctx<PublisherActor> {
  if (ctx.actor.kind !== "publisher") throw new Error("only a publisher has earnings");
  return { ...ctx, actor: ctx.actor };
}

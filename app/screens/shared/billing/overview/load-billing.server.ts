import { findSubscription } from "#app/domain/billing/find-subscription.server.ts";
import { getEarnings } from "#app/domain/billing/get-earnings.server.ts";
import { summarizeInvoices } from "#app/domain/billing/invoices/list-invoices.server.ts";
import { findFirstRevenueMonth, listRevenueShares } from "#app/domain/billing/list-revenue-shares.server.ts";
import {
  findFirstTransactionMonth,
  listTransactions,
  sumAdSpend,
} from "#app/domain/billing/list-transactions.server.ts";
import { listPaymentMethods } from "#app/domain/billing/payment-methods/list-payment-methods.server.ts";
import { revenueShareSorts } from "#app/domain/billing/revenue-share.ts";
import { countPlanUsage } from "#app/domain/billing/subscription/plan-usage.server.ts";
import { readPlanFunding } from "#app/domain/billing/subscription/set-plan-funding.server.ts";
import { transactionSorts } from "#app/domain/billing/transaction.ts";
import { getWallet } from "#app/domain/billing/wallet/get-wallet.server.ts";
import { calendarMonthOf, monthsSince } from "#app/domain/calendar-month.ts";
import { countCampaigns } from "#app/domain/campaigns/list-campaigns.server.ts";
import type { Ctx, PublisherActor, TenantActor } from "#app/domain/context.ts";
import { inSnapshot } from "#app/domain/transaction.server.ts";
import { pageOrFirstPage } from "#app/web/search-params.server.ts";
import type { BillingSearch } from "./billing-search.ts";
import { parseBillingSearch } from "./parse-billing-search.server.ts";

const pageSize = 25;
/** The number of recent transactions shown. */
const recent = 5;

/** Loads everything the URL's tab shows, from one snapshot. */
export async function loadBilling(ctx: Ctx<TenantActor>, request: Request) {
  const search = parseBillingSearch(request, ctx.actor.kind);
  return inSnapshot(ctx, async (tx) => {
    switch (search.tab) {
      case "overview":
        return { tab: "overview" as const, search, ...(await loadOverview(tx)) };
      case "earnings":
        return { tab: "earnings" as const, search, ...(await loadEarnings(asPublisherCtx(tx), search)) };
      case "methods":
        return { tab: "methods" as const, search, methods: await listPaymentMethods(tx) };
      case "subscription":
        return { tab: "subscription" as const, search, ...(await loadSubscription(asPublisherCtx(tx))) };
      case "spend":
      case "transactions":
        return { tab: search.tab, search, ...(await loadTransactions(tx, search)) };
    }
  });
}

/** Only a publisher has revenue shares and a subscription. */
async function loadOverview(ctx: Ctx<TenantActor>) {
  const { rows: transactions } = await listTransactions(ctx, { limit: recent });
  if (ctx.actor.kind === "advertiser") {
    const own = { ...ctx, actor: ctx.actor };
    const hasActiveCampaigns = (await countCampaigns(own)).active > 0;
    const wallet = { ...(await getWallet(own)), hasActiveCampaigns };
    return {
      transactions,
      spend: await sumAdSpend(ctx),
      wallet,
      invoices: await summarizeInvoices(own),
      earnings: null,
    };
  }
  const earnings = await getEarnings(asPublisherCtx(ctx));
  return { transactions, spend: null, earnings, subscription: (await findSubscription(ctx)) ?? null };
}

async function loadSubscription(ctx: Ctx<PublisherActor>) {
  const [first] = await listPaymentMethods(ctx);
  return {
    subscription: (await findSubscription(ctx)) ?? null,
    used: await countPlanUsage(ctx, ctx.actor.accountId),
    method: first?.isDefault ? first : null,
    funding: await readPlanFunding(ctx),
  };
}

async function loadTransactions(ctx: Ctx<TenantActor>, { type, month, sort, cursor }: BillingSearch) {
  const first = await findFirstTransactionMonth(ctx);
  return {
    months: first ? monthsSince(first, calendarMonthOf(ctx.clock())) : [],
    page: await pageOrFirstPage((query) => listTransactions(ctx, query), {
      type,
      month,
      cursor,
      limit: pageSize,
      sort: transactionSorts.find((known) => known === sort),
    }),
    spend: ctx.actor.kind === "advertiser" ? await sumAdSpend(ctx) : null,
  };
}

async function loadEarnings(ctx: Ctx<PublisherActor>, { status, month, sort, cursor }: BillingSearch) {
  const first = await findFirstRevenueMonth(ctx);
  return {
    months: first ? monthsSince(first, calendarMonthOf(ctx.clock())) : [],
    page: await pageOrFirstPage((query) => listRevenueShares(ctx, query), {
      status,
      month,
      cursor,
      limit: pageSize,
      sort: revenueShareSorts.find((known) => known === sort),
    }),
    earnings: await getEarnings(ctx),
  };
}

/** The URL's side is the actor's side, so an advertiser never gets here. */
export function asPublisherCtx(ctx: Ctx<TenantActor>): Ctx<PublisherActor> {
  if (ctx.actor.kind !== "publisher") throw new Error("only a publisher has earnings");
  return { ...ctx, actor: ctx.actor };
}

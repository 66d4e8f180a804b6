import type { LoaderFunctionArgs } from "@remix-run/node";
import { listRevenueShares } from "#app/domain/billing/list-revenue-shares.server.ts";
import { listTransactions } from "#app/domain/billing/list-transactions.server.ts";
import { revenueShareStatusLabels } from "#app/domain/billing/revenue-share.ts";
import { transactionTypeLabels } from "#app/domain/billing/transaction.ts";
import { calendarDateOf } from "#app/domain/calendar-date.ts";
import type { Ctx, TenantActor } from "#app/domain/context.ts";
import { DomainError } from "#app/domain/errors.ts";
import { dollarsOf } from "#app/domain/money.ts";
import { enterThisPortal } from "#app/portal/enter-portal.server.ts";
import { portalHref } from "#app/portal/href.ts";
import { csvAnswer } from "#app/web/csv.ts";
import { takeExport } from "#app/web/export-limit.server.ts";
import { redirectWithFlash } from "#app/web/flash.server.ts";
import { pagesOf } from "#app/web/pages-of.ts";
import { type BillingSearch, billingQuery } from "./billing-search.ts";
import { asPublisher } from "./load-billing.server.ts";
import { readBillingSearch } from "./read-billing-search.server.ts";

/** The rows of the address's tab and filters, all of them, as a file. */
export async function loader({ request, context }: LoaderFunctionArgs) {
  const { ctx, base, portal } = await enterThisPortal(request, context);
  const search = readBillingSearch(request, portal);
  try {
    await takeExport(ctx);
  } catch (error) {
    if (!(error instanceof DomainError)) throw error;
    const back = portalHref(base, `/billing${billingQuery(search)}`);
    return redirectWithFlash(back, { tone: "error", message: error.message });
  }
  const of = search.month ? `-${search.month}` : "";
  return search.tab === "earnings"
    ? csvAnswer(`earnings${of}.csv`, earningsOf(ctx, search))
    : csvAnswer(`transactions${of}.csv`, transactionsOf(ctx, search));
}

async function* transactionsOf(ctx: Ctx<TenantActor>, { type, month }: BillingSearch) {
  yield [["Date", "Description", "Type", "Status", "Amount (USD)", "ID"]];
  for await (const rows of pagesOf((page) => listTransactions(ctx, { ...page, type, month }))) {
    yield rows.map((row) => [
      ...[calendarDateOf(row.createdAt), row.description, transactionTypeLabels[row.type], row.status],
      ...[dollarsOf(row.amount), row.id],
    ]);
  }
}

async function* earningsOf(ctx: Ctx<TenantActor>, { status, month }: BillingSearch) {
  yield [["Date", "Campaign", "Advertiser spend (USD)", "Platform fee (USD)", "Your earning (USD)", "Status", "ID"]];
  for await (const rows of pagesOf((page) => listRevenueShares(asPublisher(ctx), { ...page, status, month }))) {
    yield rows.map((row) => [
      ...[calendarDateOf(row.createdAt), row.campaignName, dollarsOf(row.spend), dollarsOf(row.fee)],
      ...[dollarsOf(row.earnings), revenueShareStatusLabels[row.status], row.id],
    ]);
  }
}

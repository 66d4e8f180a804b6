import type { LoaderFunctionArgs } from "@remix-run/node";
import { withAdjustment } from "#app/domain/billing/adjustment.ts";
import { listRevenueShares } from "#app/domain/billing/list-revenue-shares.server.ts";
import { listTransactions } from "#app/domain/billing/list-transactions.server.ts";
import { revenueShareSorts, revenueShareStatusLabels } from "#app/domain/billing/revenue-share.ts";
import { signedAmount, transactionSorts, transactionTypeLabels } from "#app/domain/billing/transaction.ts";
import { calendarDateOf } from "#app/domain/calendar-date.ts";
import type { Ctx, TenantActor } from "#app/domain/context.ts";
import { DomainError } from "#app/domain/errors.ts";
import { asCents, centsToDollars } from "#app/domain/money.ts";
import { portalHref } from "#app/portal/portal-href.ts";
import { requireCurrentPortalAccess } from "#app/portal/require-portal-access.server.ts";
import { csvResponse } from "#app/web/csv.ts";
import { consumeExportLimit } from "#app/web/exports/export-limit.server.ts";
import { redirectWithFlash } from "#app/web/flash.server.ts";
import { iteratePages } from "#app/web/iterate-pages.ts";
import { type BillingSearch, billingQuery } from "./billing-search.ts";
import { asPublisherCtx } from "./load-billing.server.ts";
import { parseBillingSearch } from "./parse-billing-search.server.ts";

/** Exports all rows of the URL's tab and filters as CSV. */
export async function loader({ request, context }: LoaderFunctionArgs) {
  const { ctx, base, portal } = await requireCurrentPortalAccess(request, context);
  const search = parseBillingSearch(request, portal);
  try {
    await consumeExportLimit(ctx, request);
  } catch (error) {
    if (!(error instanceof DomainError)) throw error;
    const back = portalHref(base, `/billing${billingQuery(search)}`);
    return redirectWithFlash(back, { tone: "error", message: error.message });
  }
  const of = search.month ? `-${search.month}` : "";
  return search.tab === "earnings"
    ? csvResponse(`earnings${of}.csv`, earningsOf(ctx, search))
    : csvResponse(`transactions${of}.csv`, transactionsOf(ctx, search));
}

async function* transactionsOf(ctx: Ctx<TenantActor>, { type, month, sort: requested }: BillingSearch) {
  const sort = transactionSorts.find((known) => known === requested);
  // A publisher's transactions are with the platform alone.
  const isAdvertiser = ctx.actor.kind === "advertiser";
  yield [["Date", "Description", "Type", "Status", "Amount (USD)", "ID", ...(isAdvertiser ? ["Publisher"] : [])]];
  for await (const rows of iteratePages((page) => listTransactions(ctx, { ...page, type, month, sort }))) {
    yield rows.map((row) => [
      ...[calendarDateOf(row.createdAt), withAdjustment(row.description, row.adjustsMonth)],
      ...[transactionTypeLabels[row.type], row.status],
      ...[centsToDollars(signedAmount(row, ctx.actor.kind)), row.id],
      ...(isAdvertiser ? [row.spentOn?.publisherName ?? ""] : []),
    ]);
  }
}

async function* earningsOf(ctx: Ctx<TenantActor>, { status, month, sort: requested }: BillingSearch) {
  const sort = revenueShareSorts.find((known) => known === requested);
  // Signed as on the screen: the fee reduces the earnings.
  yield [["Date", "Campaign", "Advertiser spend (USD)", "Platform fee (USD)", "Your earnings (USD)", "Status", "ID"]];
  for await (const rows of iteratePages((page) =>
    listRevenueShares(asPublisherCtx(ctx), { ...page, status, month, sort }),
  )) {
    yield rows.map((row) => [
      ...[
        calendarDateOf(row.createdAt),
        withAdjustment(row.campaignName, row.adjustsMonth),
        centsToDollars(row.spend),
        centsToDollars(asCents(0 - row.fee)),
      ],
      ...[centsToDollars(row.earnings), revenueShareStatusLabels[row.status], row.id],
    ]);
  }
}

import type { ActionFunctionArgs, LoaderFunctionArgs, MetaFunction } from "@remix-run/node";
import { useLoaderData } from "@remix-run/react";
import { z } from "zod";
import { getEarnings } from "#app/domain/billing/get-earnings.server.ts";
import { getPayoutBalance } from "#app/domain/billing/payouts/get-payout-balance.server.ts";
import { listPayouts } from "#app/domain/billing/payouts/list-payouts.server.ts";
import { type PayoutSort, payoutSorts } from "#app/domain/billing/payouts/payout.ts";
import { findPayoutAccount, findPayoutAccountStatus } from "#app/domain/billing/payouts/payout-account.server.ts";
import { payoutRequestSchema } from "#app/domain/billing/payouts/payout-payloads.ts";
import { requestPayout } from "#app/domain/billing/payouts/request-payout.server.ts";
import { pageTitle } from "#app/domain/branding.ts";
import { createIdempotently } from "#app/domain/idempotency/create-idempotently.server.ts";
import { findPayoutProviderName } from "#app/domain/payments/active-payout-provider.server.ts";
import { inSnapshot, longTimeoutMs } from "#app/domain/transaction.server.ts";
import { portalHref } from "#app/portal/portal-href.ts";
import { requirePortalAccess } from "#app/portal/require-portal-access.server.ts";
import { payoutColumns } from "#app/screens/publisher/revenue/payout-columns.tsx";
import { stripeAccountCopy } from "#app/screens/publisher/revenue/stripe-account-copy.ts";
import { EarningsTiles } from "#app/screens/shared/billing/earnings-tiles.tsx";
import { FocusOnChange } from "#app/screens/shared/forms/focus-on-change.tsx";
import { IconLink } from "#app/ui/button.tsx";
import { useFormResponse } from "#app/ui/form/use-form-response.ts";
import { pluralize } from "#app/ui/format.ts";
import { ErrorSummary, Notice, toSummaryErrors } from "#app/ui/notice.tsx";
import { Card, EmptyState, PageHeader } from "#app/ui/page-header.tsx";
import { DataTable } from "#app/ui/table/data-table.tsx";
import { listQuery } from "#app/ui/table/list-query.ts";
import { Pagination } from "#app/ui/table/pagination.tsx";
import { SortSelect } from "#app/ui/table/sort-select.tsx";
import { redirectWithFlash } from "#app/web/flash.server.ts";
import { handleForm } from "#app/web/forms/form.server.ts";
import { cursorParam, pageOrFirstPage, parseSearchParams } from "#app/web/search-params.server.ts";
import { NextPayout } from "./next-payout.tsx";

const sortLabels: Record<PayoutSort, string> = {
  newest: "Newest first",
  oldest: "Oldest first",
  arrived: "Latest arrival",
  amount: "Highest amount",
};

const searchSchema = z.object({ sort: z.enum(payoutSorts).catch("newest"), cursor: cursorParam });
const pageSize = 25;

export async function loader({ request, context }: LoaderFunctionArgs) {
  const { ctx, base } = await requirePortalAccess(request, "publisher", context);
  const search = parseSearchParams(request, searchSchema);
  return inSnapshot(ctx, async (tx) => ({
    base,
    idempotencyKey: crypto.randomUUID(),
    balance: await getPayoutBalance(tx),
    earnings: await getEarnings(tx),
    payoutsEnabled: findPayoutProviderName() !== undefined,
    account: (await findPayoutAccount(tx)) ?? null,
    accountStatus: (await findPayoutAccountStatus(tx)) ?? null,
    sort: search.sort,
    page: await pageOrFirstPage((query) => listPayouts(tx, query), { ...search, limit: pageSize }),
    newest: (await listPayouts(tx, { limit: 1 })).rows[0] ?? null,
  }));
}

const requestForm = payoutRequestSchema.extend({ idempotency_key: z.string().max(200).optional().catch(undefined) });

export async function action({ request, context }: ActionFunctionArgs) {
  const { ctx, base } = await requirePortalAccess(request, "publisher", context);
  return handleForm(request, requestForm, async ({ idempotency_key: key, amount }) => {
    const once = { key, values: { payout: amount }, movesMoney: true, deadlineMs: longTimeoutMs };
    const { id } = await createIdempotently(ctx, once, (inside) => requestPayout(inside, { amount }));
    return redirectWithFlash(portalHref(base, `/revenue/payouts/${id}`), {
      tone: "success",
      message: "Payout requested",
    });
  });
}

export default function Revenue() {
  const { base, idempotencyKey, balance, earnings, payoutsEnabled, account, accountStatus, sort, page, newest } =
    useLoaderData<typeof loader>();
  const rejected = useFormResponse<typeof action>();
  const pageHref = (cursor: string | null) => (cursor ? listQuery({ sort, cursor }) : undefined);
  const list = { sort, href: (by: PayoutSort) => listQuery({ sort: by }) };
  return (
    <>
      <PageHeader title="Revenue" subtitle="Your earnings and payouts" />
      <div className="stack">
        <FocusOnChange to={rejected}>
          <ErrorSummary errors={toSummaryErrors(rejected?.error, [])} />
        </FocusOnChange>
        {newest?.status === "failed" ? (
          <Notice tone="bad" title="Your last payout was returned">
            {newest.failure} The amount is back in your balance.
          </Notice>
        ) : null}
        {accountStatus?.requirementsDueBy ? (
          <Notice tone="warn" title={stripeAccountCopy(accountStatus).title}>
            {stripeAccountCopy(accountStatus).text}
          </Notice>
        ) : null}
        <EarningsTiles earnings={earnings} to={portalHref(base, "/billing?tab=earnings")} />
        <NextPayout
          base={base}
          balance={balance}
          payoutsEnabled={payoutsEnabled}
          account={account}
          accountStatus={accountStatus}
          idempotencyKey={idempotencyKey}
        />
        <Card title="Payouts" flush>
          {page.rows.length === 0 ? (
            <EmptyState icon="banknote" title="No payouts yet">
              {payoutsEnabled
                ? "Earnings of $50 or more are paid out on the first of each month, or when you request a payout. If you pay your plan from earnings, the monthly payout leaves what its next payment needs."
                : null}
            </EmptyState>
          ) : (
            <>
              <DataTable
                caption="Payouts"
                sortSelect={<SortSelect sort={sort} labels={sortLabels} />}
                columns={payoutColumns(list)}
                rows={page.rows}
                actions={({ id, createdAt }) => (
                  <IconLink
                    to={portalHref(base, `/revenue/payouts/${id}`)}
                    label="Statement"
                    itemName={`of ${createdAt.toISOString().slice(0, 10)}`}
                    icon="view"
                  />
                )}
                hasOneAction
              />
              <Pagination
                shown={`Showing ${pluralize(page.rows.length, "payout")}`}
                previous={pageHref(page.previousCursor)}
                next={pageHref(page.nextCursor)}
              />
            </>
          )}
        </Card>
      </div>
    </>
  );
}

export const meta: MetaFunction = () => [{ title: pageTitle("Revenue") }];

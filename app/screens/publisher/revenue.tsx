import type { ActionFunctionArgs, LoaderFunctionArgs, MetaFunction } from "@remix-run/node";
import { useActionData, useLoaderData } from "@remix-run/react";
import { Banknote } from "lucide-react";
import { z } from "zod";
import { getPayoutBalance } from "#app/domain/billing/payouts/get-payout-balance.server.ts";
import { listPayouts } from "#app/domain/billing/payouts/list-payouts.server.ts";
import { findAccountState, findPayoutAccount } from "#app/domain/billing/payouts/payout-account.server.ts";
import { payoutRequestSchema } from "#app/domain/billing/payouts/payout-payloads.ts";
import { findPayoutsBy } from "#app/domain/billing/payouts/provider-of.server.ts";
import { requestPayout } from "#app/domain/billing/payouts/request-payout.server.ts";
import { createOnce } from "#app/domain/idempotency/create-once.server.ts";
import { pageTitle } from "#app/domain/product.ts";
import { inSnapshot } from "#app/domain/transaction.server.ts";
import { enterPortal } from "#app/portal/enter-portal.server.ts";
import { portalHref } from "#app/portal/href.ts";
import { Attention } from "#app/screens/shared/attention.tsx";
import { IconLink } from "#app/ui/button.tsx";
import { formatNumberOf } from "#app/ui/format.ts";
import { Card, EmptyState, PageHeader } from "#app/ui/layout.tsx";
import { ErrorSummary, Notice, summaryOf } from "#app/ui/notice.tsx";
import { DataTable, Pagination } from "#app/ui/table.tsx";
import { redirectWithFlash } from "#app/web/flash.server.ts";
import { submitForm } from "#app/web/form.server.ts";
import { cursorParam, readSearch } from "#app/web/search-params.server.ts";
import { NextPayout } from "./revenue-page/next-payout.tsx";
import { payoutColumns } from "./revenue-page/payout-columns.tsx";
import { RevenueTiles } from "./revenue-page/revenue-tiles.tsx";
import { stripeWords } from "./revenue-page/stripe-words.ts";

const searchSchema = z.object({ cursor: cursorParam });
const pageSize = 25;

export async function loader({ request, context }: LoaderFunctionArgs) {
  const { ctx, base } = await enterPortal(request, "publisher", context);
  const { cursor } = readSearch(request, searchSchema);
  return inSnapshot(ctx, async (tx) => ({
    base,
    formKey: crypto.randomUUID(),
    balance: await getPayoutBalance(tx),
    setUp: findPayoutsBy() !== undefined,
    account: (await findPayoutAccount(tx)) ?? null,
    stands: (await findAccountState(tx)) ?? null,
    page: await listPayouts(tx, { cursor, limit: pageSize }),
    newest: (await listPayouts(tx, { limit: 1 })).rows[0] ?? null,
  }));
}

const requestForm = payoutRequestSchema.extend({ idempotency_key: z.string().max(200).optional().catch(undefined) });

export async function action({ request, context }: ActionFunctionArgs) {
  const { ctx, base } = await enterPortal(request, "publisher", context);
  return submitForm(request, requestForm, async ({ idempotency_key: key, amount }) => {
    const { id } = await createOnce(ctx, { key, values: { payout: amount }, movesMoney: true }, (once) =>
      requestPayout(once, { amount }),
    );
    return redirectWithFlash(portalHref(base, `/revenue/payouts/${id}`), {
      tone: "success",
      message: "Your payout is on its way",
    });
  });
}

export default function Revenue() {
  const { base, formKey, balance, setUp, account, stands, page, newest } = useLoaderData<typeof loader>();
  const refused = useActionData<typeof action>();
  const pageHref = (cursor: string | null) => (cursor ? `?cursor=${cursor}` : undefined);
  return (
    <>
      <PageHeader title="Revenue" subtitle="What you earned, and when it is paid out" />
      <div className="stack">
        <Attention to={refused}>
          <ErrorSummary errors={summaryOf(refused?.error)} />
        </Attention>
        {newest?.status === "failed" ? (
          <Notice tone="bad" title="Your last payout came back">
            {newest.failure} The money is in your balance again.
          </Notice>
        ) : null}
        {stands?.dueBy ? (
          <Notice tone="warn" title={stripeWords(stands).title}>
            {stripeWords(stands).text}
          </Notice>
        ) : null}
        <RevenueTiles base={base} balance={balance} />
        <NextPayout base={base} balance={balance} setUp={setUp} account={account} stands={stands} formKey={formKey} />
        <Card title="Payouts" flush>
          {page.rows.length === 0 ? (
            <EmptyState icon={Banknote} title="No payouts yet">
              {setUp ? "Earnings are paid out on the first of each month from $50 on, or when you request it." : null}
            </EmptyState>
          ) : (
            <DataTable
              caption="Payouts"
              columns={payoutColumns}
              rows={page.rows}
              actions={({ id, createdAt }) => (
                <IconLink
                  to={portalHref(base, `/revenue/payouts/${id}`)}
                  label="Statement"
                  of={`of ${createdAt.toISOString().slice(0, 10)}`}
                  icon="view"
                />
              )}
            />
          )}
          <Pagination
            shown={`Showing ${formatNumberOf(page.rows.length, "payout")}`}
            previous={pageHref(page.previousCursor)}
            next={pageHref(page.nextCursor)}
          />
        </Card>
      </div>
    </>
  );
}

export const meta: MetaFunction = () => [{ title: pageTitle("Revenue") }];

import type { LoaderFunctionArgs, MetaFunction } from "@remix-run/node";
import { useLoaderData } from "@remix-run/react";
import { z } from "zod";
import { type InvoiceSort, invoiceSorts } from "#app/domain/billing/invoices/invoice.ts";
import { listInvoices, summarizeInvoices } from "#app/domain/billing/invoices/list-invoices.server.ts";
import { pageTitle } from "#app/domain/branding.ts";
import { inSnapshot } from "#app/domain/transaction.server.ts";
import { portalHref } from "#app/portal/portal-href.ts";
import { requirePortalAccess } from "#app/portal/require-portal-access.server.ts";
import { invoiceColumns } from "#app/screens/advertiser/billing/invoice-columns.tsx";
import { InvoiceNotice } from "#app/screens/shared/billing/invoice-notice.tsx";
import { MoneyDefinitions } from "#app/screens/shared/billing/money-definitions.tsx";
import { LinkButton } from "#app/ui/button.tsx";
import { pluralize } from "#app/ui/format.ts";
import { Breadcrumbs, Card, EmptyState, PageHeader } from "#app/ui/page-header.tsx";
import { DataTable } from "#app/ui/table/data-table.tsx";
import { listQuery } from "#app/ui/table/list-query.ts";
import { Pagination } from "#app/ui/table/pagination.tsx";
import { SortSelect } from "#app/ui/table/sort-select.tsx";
import { cursorParam, pageOrFirstPage, parseSearchParams } from "#app/web/search-params.server.ts";

const sortLabels: Record<InvoiceSort, string> = {
  newest: "Newest first",
  oldest: "Oldest first",
  due_first: "Earliest due date",
  due: "Latest due date",
  amount: "Highest amount",
  open: "Highest amount due",
};

const searchSchema = z.object({ sort: z.enum(invoiceSorts).catch("newest"), cursor: cursorParam });

export async function loader({ request, context }: LoaderFunctionArgs) {
  const { ctx, base } = await requirePortalAccess(request, "advertiser", context);
  const requested = { ...parseSearchParams(request, searchSchema), limit: 25 };
  return inSnapshot(ctx, async (tx) => ({
    base,
    sort: requested.sort,
    page: await pageOrFirstPage((one) => listInvoices(tx, one), requested),
    summary: await summarizeInvoices(tx),
  }));
}

export default function Invoices() {
  const { base, sort, page, summary } = useLoaderData<typeof loader>();
  const pageHref = (cursor: string | null) => (cursor ? listQuery({ sort, cursor }) : undefined);
  const list = { sort, href: (by: InvoiceSort) => listQuery({ sort: by }) };
  return (
    <>
      <Breadcrumbs trail={[{ to: portalHref(base, "/billing"), label: "Billing & Spend" }]} here="Invoices" />
      <PageHeader title="Invoices" subtitle="Issued after each month, for spend on credit" />
      <div className="stack">
        <InvoiceNotice base={base} invoices={summary} />
        {page.rows.length > 0 ? <MoneyDefinitions terms={["amount_due"]} /> : null}
        <Card title="Invoices" flush>
          {page.rows.length === 0 ? (
            <EmptyState
              icon="file-text"
              title="No invoices yet"
              action={<LinkButton to={portalHref(base, "/billing/statements")}>Monthly statements</LinkButton>}
            >
              Invoices cover spend on credit. Spend paid from your wallet is on your monthly statements.
            </EmptyState>
          ) : (
            <>
              <DataTable
                caption="Invoices"
                sortSelect={<SortSelect sort={sort} labels={sortLabels} />}
                columns={invoiceColumns(base, list)}
                rows={page.rows}
              />
              <Pagination
                shown={`Showing ${pluralize(page.rows.length, "invoice")}`}
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

export const meta: MetaFunction = () => [{ title: pageTitle("Invoices") }];

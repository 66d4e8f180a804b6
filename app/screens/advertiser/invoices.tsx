import type { LoaderFunctionArgs, MetaFunction } from "@remix-run/node";
import { useLoaderData } from "@remix-run/react";
import { FileText } from "lucide-react";
import { z } from "zod";
import { listInvoices, summarizeInvoices } from "#app/domain/billing/invoices/list-invoices.server.ts";
import { pageTitle } from "#app/domain/product.ts";
import { inSnapshot } from "#app/domain/transaction.server.ts";
import { enterPortal } from "#app/portal/enter-portal.server.ts";
import { portalHref } from "#app/portal/href.ts";
import { InvoiceNotice } from "#app/screens/shared/billing/invoice-notice.tsx";
import { LinkButton } from "#app/ui/button.tsx";
import { formatNumberOf } from "#app/ui/format.ts";
import { Breadcrumbs, Card, EmptyState, PageHeader } from "#app/ui/layout.tsx";
import { DataTable, Pagination } from "#app/ui/table.tsx";
import { cursorParam, pageOrFirst, readSearch } from "#app/web/search-params.server.ts";
import { invoiceColumns } from "./invoices-page/invoice-columns.tsx";

const searchSchema = z.object({ cursor: cursorParam });

export async function loader({ request, context }: LoaderFunctionArgs) {
  const { ctx, base } = await enterPortal(request, "advertiser", context);
  const asked = { ...readSearch(request, searchSchema), limit: 25 };
  return inSnapshot(ctx, async (tx) => ({
    base,
    page: await pageOrFirst((one) => listInvoices(tx, one), asked),
    summary: await summarizeInvoices(tx),
  }));
}

export default function Invoices() {
  const { base, page, summary } = useLoaderData<typeof loader>();
  const pageHref = (cursor: string | null) => (cursor ? `?cursor=${cursor}` : undefined);
  return (
    <>
      <Breadcrumbs trail={[{ to: portalHref(base, "/billing"), label: "Billing & Spend" }]} here="Invoices" />
      <PageHeader title="Invoices" subtitle="What you owe for a month, after it is over" />
      <div className="stack">
        <InvoiceNotice base={base} invoices={summary} />
        <Card title="Invoices" flush>
          {page.rows.length === 0 ? (
            <EmptyState
              icon={FileText}
              title="No invoices yet"
              action={<LinkButton to={portalHref(base, "/billing/statements")}>Monthly statements</LinkButton>}
            >
              Invoices are for spend on credit. What your wallet paid is on your monthly statements.
            </EmptyState>
          ) : (
            <>
              <DataTable caption="Invoices" columns={invoiceColumns(base)} rows={page.rows} />
              <Pagination
                shown={`Showing ${formatNumberOf(page.rows.length, "invoice")}`}
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

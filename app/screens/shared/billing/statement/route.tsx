import type { LoaderFunctionArgs, MetaFunction } from "@remix-run/node";
import { useLoaderData } from "@remix-run/react";
import { moneyTerms } from "#app/domain/billing/money-words.ts";
import { getStatement } from "#app/domain/billing/statements/get-statement.server.ts";
import { pageTitle } from "#app/domain/branding.ts";
import { calendarMonthOf, formatMonth } from "#app/domain/calendar-month.ts";
import { formatCents } from "#app/domain/money.ts";
import { pageLimits } from "#app/domain/page.ts";
import { inSnapshot } from "#app/domain/transaction.server.ts";
import { portalHref } from "#app/portal/portal-href.ts";
import { requireCurrentPortalAccess } from "#app/portal/require-portal-access.server.ts";
import { MoneyDefinitions } from "#app/screens/shared/billing/money-definitions.tsx";
import { billingTitles } from "#app/screens/shared/billing/overview/billing-search.ts";
import { Button } from "#app/ui/button.tsx";
import { FilterForm } from "#app/ui/filter-form.tsx";
import { pluralize } from "#app/ui/format.ts";
import { Icon } from "#app/ui/icon.tsx";
import { Breadcrumbs, Card, EmptyState, PageHeader } from "#app/ui/page-header.tsx";
import { StatTiles } from "#app/ui/stat-tiles.tsx";
import { DataTable } from "#app/ui/table/data-table.tsx";
import { Pagination } from "#app/ui/table/pagination.tsx";
import { pageOrFirstPage } from "#app/web/search-params.server.ts";
import { statementColumns } from "./statement-columns.tsx";
import { listStatementMonths, parseStatementSearch } from "./statement-search.server.ts";

export async function loader({ request, context }: LoaderFunctionArgs) {
  const { ctx, base, portal, viewer } = await requireCurrentPortalAccess(request, context);
  return inSnapshot(ctx, async (tx) => {
    const search = parseStatementSearch(tx, request);
    const statement = await pageOrFirstPage((query) => getStatement(tx, query), { ...search, limit: pageLimits.max });
    const months = await listStatementMonths(tx);
    const present = search.month === calendarMonthOf(ctx.clock());
    return { base, portal, companyName: viewer.companyName, statement, months, present };
  });
}

export default function AccountStatement() {
  const { base, portal, companyName, statement, months, present } = useLoaderData<typeof loader>();
  const { month, opening, closing, rows, nextCursor, previousCursor } = statement;
  const pageHref = (cursor: string | null) => (cursor ? `?month=${month}&cursor=${cursor}` : undefined);
  return (
    <>
      <Breadcrumbs trail={[{ to: portalHref(base, "/billing"), label: billingTitles[portal] }]} here="Statement" />
      <PageHeader
        title={`Statement for ${formatMonth(month)}`}
        subtitle={`${companyName} · ${description[portal]}`}
        actions={
          <>
            <FilterForm query={month} label="Statement" className="actions">
              <select name="month" className="input" aria-label="Month" defaultValue={month}>
                {(months.includes(month) ? months : [month, ...months]).map((one) => (
                  <option key={one} value={one}>
                    {formatMonth(one)}
                  </option>
                ))}
              </select>
              <Button>View month</Button>
            </FilterForm>
            {files.map(({ label, path }) => (
              <a key={label} className="button" href={portalHref(base, `/billing/statements/${path}?month=${month}`)}>
                <Icon name="download" />
                {label}
              </a>
            ))}
          </>
        }
      />
      <div className="stack">
        <div className="grid gap-2">
          <StatTiles
            stats={[
              { label: moneyTerms.opening_balance.label, value: formatCents(opening) },
              { label: present ? "Balance now" : moneyTerms.closing_balance.label, value: formatCents(closing) },
            ]}
          />
          <MoneyDefinitions terms={["opening_balance", "closing_balance"]} />
        </div>
        <Card title="Transactions" flush>
          {rows.length === 0 ? (
            <EmptyState icon="file-text" title="No transactions this month">
              Your balance stayed at {formatCents(opening)}.
            </EmptyState>
          ) : (
            <>
              <DataTable
                caption={`Transactions in ${formatMonth(month)}`}
                columns={statementColumns(portal)}
                rows={rows}
              />
              <Pagination
                shown={`Showing ${pluralize(rows.length, "line")}. Days are in UTC.`}
                previous={pageHref(previousCursor)}
                next={pageHref(nextCursor)}
              />
            </>
          )}
        </Card>
      </div>
    </>
  );
}

export const meta: MetaFunction<typeof loader> = ({ data }) => [
  { title: pageTitle(data ? `Statement for ${formatMonth(data.statement.month)}` : "Statement") },
];

const files = [
  { label: "CSV", path: "export.csv" },
  { label: "PDF", path: "statement.pdf" },
];

const description = {
  advertiser: "wallet balance less what you owe",
  publisher: "earnings not yet paid out",
};

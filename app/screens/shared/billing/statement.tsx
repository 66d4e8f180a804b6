import type { LoaderFunctionArgs, MetaFunction } from "@remix-run/node";
import { Form, useLoaderData, useSubmit } from "@remix-run/react";
import { Download, FileText } from "lucide-react";
import { getStatement } from "#app/domain/billing/statements/get-statement.server.ts";
import { calendarMonthOf, formatMonth } from "#app/domain/calendar-month.ts";
import { formatCents } from "#app/domain/money.ts";
import { pageLimits } from "#app/domain/page.ts";
import { pageTitle } from "#app/domain/product.ts";
import { inSnapshot } from "#app/domain/transaction.server.ts";
import { enterThisPortal } from "#app/portal/enter-portal.server.ts";
import { portalHref } from "#app/portal/href.ts";
import { Button } from "#app/ui/button.tsx";
import { formatNumberOf } from "#app/ui/format.ts";
import { Breadcrumbs, Card, EmptyState, PageHeader } from "#app/ui/layout.tsx";
import { StatTiles } from "#app/ui/stat-tile.tsx";
import { DataTable, Pagination } from "#app/ui/table.tsx";
import { pageOrFirst } from "#app/web/search-params.server.ts";
import { billingTitles } from "./billing-search.ts";
import { statementColumns } from "./statement-columns.tsx";
import { listStatementMonths, readStatementSearch } from "./statement-search.server.ts";

export async function loader({ request, context }: LoaderFunctionArgs) {
  const { ctx, base, portal, viewer } = await enterThisPortal(request, context);
  return inSnapshot(ctx, async (tx) => {
    const search = readStatementSearch(tx, request);
    const statement = await pageOrFirst((asked) => getStatement(tx, asked), { ...search, limit: pageLimits.max });
    const months = await listStatementMonths(tx);
    const present = search.month === calendarMonthOf(ctx.clock());
    return { base, portal, companyName: viewer.companyName, statement, months, present };
  });
}

export default function AccountStatement() {
  const { base, portal, companyName, statement, months, present } = useLoaderData<typeof loader>();
  const { month, opening, closing, rows, nextCursor, previousCursor } = statement;
  const submit = useSubmit();
  const pageHref = (cursor: string | null) => (cursor ? `?month=${month}&cursor=${cursor}` : undefined);
  return (
    <>
      <Breadcrumbs trail={[{ to: portalHref(base, "/billing"), label: billingTitles[portal] }]} here="Statement" />
      <PageHeader
        title={`Statement for ${formatMonth(month)}`}
        subtitle={`${companyName} · ${says[portal]}`}
        actions={
          <>
            <Form
              method="get"
              key={month}
              className="actions"
              onChange={(event) => submit(event.currentTarget, { preventScrollReset: true })}
            >
              <select name="month" className="input" aria-label="Month" defaultValue={month}>
                {(months.includes(month) ? months : [month, ...months]).map((one) => (
                  <option key={one} value={one}>
                    {formatMonth(one)}
                  </option>
                ))}
              </select>
              <Button>Show</Button>
            </Form>
            {files.map(({ label, path }) => (
              <a
                key={label}
                className="button"
                href={portalHref(base, `/billing/statements/${path}?month=${month}`)}
                download
              >
                <Download aria-hidden />
                {label}
              </a>
            ))}
          </>
        }
      />
      <div className="stack">
        <StatTiles
          stats={[
            { label: "Opening balance", value: formatCents(opening) },
            { label: present ? "Balance now" : "Closing balance", value: formatCents(closing) },
          ]}
        />
        <Card title="Lines" flush>
          {rows.length === 0 ? (
            <EmptyState icon={FileText} title="Nothing happened in this month">
              The balance stayed {formatCents(opening)}.
            </EmptyState>
          ) : (
            <DataTable caption={`Lines of ${formatMonth(month)}`} columns={statementColumns(portal)} rows={rows} />
          )}
          <Pagination
            shown={`Showing ${formatNumberOf(rows.length, "line")}, by days in UTC`}
            previous={pageHref(previousCursor)}
            next={pageHref(nextCursor)}
          />
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

const says = {
  advertiser: "what is in your wallet, less what you owe",
  publisher: "what you earned and is not paid out",
};

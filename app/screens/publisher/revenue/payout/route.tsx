import type { LoaderFunctionArgs, MetaFunction } from "@remix-run/node";
import { useLoaderData } from "@remix-run/react";
import { z } from "zod";
import { getPayout, listPayoutLines } from "#app/domain/billing/payouts/list-payouts.server.ts";
import { payoutStatusLabels } from "#app/domain/billing/payouts/payout.ts";
import { pageTitle } from "#app/domain/branding.ts";
import { formatDate } from "#app/domain/calendar-date.ts";
import type { PayoutId } from "#app/domain/ids.ts";
import { formatCents } from "#app/domain/money.ts";
import { portalHref } from "#app/portal/portal-href.ts";
import { requirePortalAccess } from "#app/portal/require-portal-access.server.ts";
import { payoutLineColumns } from "#app/screens/publisher/revenue/payout-columns.tsx";
import { BillingStatusBadge } from "#app/screens/shared/billing/billing-status-badge.tsx";
import { formatCount } from "#app/ui/format.ts";
import { Icon } from "#app/ui/icon.tsx";
import { Notice } from "#app/ui/notice.tsx";
import { Breadcrumbs, Card, DescriptionList, PageHeader } from "#app/ui/page-header.tsx";
import { DataTable } from "#app/ui/table/data-table.tsx";
import { Pagination } from "#app/ui/table/pagination.tsx";
import { useTimeFormats } from "#app/ui/time/use-time-formats.ts";
import { orThrow404, requireIdParam } from "#app/web/not-found.server.ts";
import { parseSearchParams } from "#app/web/search-params.server.ts";

const searchSchema = z.object({ after: z.coerce.number().int().min(0).max(2_000_000_000).catch(0) });
const pageSize = 500;

export async function loader({ request, params, context }: LoaderFunctionArgs) {
  const { ctx, base, viewer } = await requirePortalAccess(request, "publisher", context);
  const { after } = parseSearchParams(request, searchSchema);
  const payout = await orThrow404(getPayout(ctx, requireIdParam<PayoutId>(params.id)));
  const lines = await listPayoutLines(ctx, { id: payout.id, after, limit: pageSize });
  return { base, companyName: viewer.companyName, payout, lines, after };
}

export default function PayoutStatement() {
  const { formatDateTime } = useTimeFormats();
  const { base, companyName, payout, lines, after } = useLoaderData<typeof loader>();
  const { status, amount, spend, fee, failure, scheduledFor, createdAt, endedAt, returnedAt, bank, lastFour } = payout;
  const last = lines.at(-1)?.number ?? 0;
  const totals = {
    id: "total",
    number: 0,
    campaignName: "Total",
    adjustsMonth: null,
    settledThrough: null,
    spend,
    fee,
    earnings: amount,
  };
  return (
    <>
      <Breadcrumbs trail={[{ to: portalHref(base, "/revenue"), label: "Revenue" }]} here="Payout" />
      <PageHeader
        title={`Payout of ${formatCents(amount)}`}
        subtitle={`${companyName} · ${formatDate(createdAt)}`}
        actions={["CSV", "PDF"].map((format) => (
          <a
            key={format}
            className="button"
            href={portalHref(base, `/revenue/payouts/${payout.id}/statement.${format.toLowerCase()}`)}
          >
            <Icon name="download" />
            {format}
          </a>
        ))}
      />
      <div className="stack">
        {failure ? (
          <Notice tone="bad" title="This payout was returned">
            {failure} The amount is back in your balance.
          </Notice>
        ) : null}
        <Card title="Statement" aside={<BillingStatusBadge status={status} label={payoutStatusLabels[status]} />}>
          <DescriptionList
            facts={[
              { label: "Amount", value: formatCents(amount) },
              { label: "Destination", value: `${bank} ending ${lastFour}` },
              { label: "Initiated", value: `${formatDateTime(createdAt)}, ${scheduledFor ? "monthly" : "on request"}` },
              ...(endedAt
                ? [{ label: failure && !returnedAt ? "Returned" : "Arrived", value: formatDateTime(endedAt) }]
                : []),
              ...(returnedAt ? [{ label: "Returned", value: formatDateTime(returnedAt) }] : []),
              { label: "Payout ID", value: <span className="wrap-anywhere">{payout.id}</span>, wide: true },
            ]}
          />
        </Card>
        <Card title="Line items" flush>
          <DataTable
            caption="Line items in this payout"
            columns={payoutLineColumns}
            rows={lines.map((line) => ({ ...line, id: String(line.number) }))}
            totals={totals}
          />
          <Pagination
            shown={`${formatCount(after + 1)}–${formatCount(last)} of ${formatCount(payout.lines)} line items`}
            previous={after > 0 ? `?after=${Math.max(0, after - pageSize)}` : undefined}
            next={last > 0 && last < payout.lines ? `?after=${last}` : undefined}
          />
        </Card>
      </div>
    </>
  );
}

export const meta: MetaFunction<typeof loader> = ({ data }) => [
  { title: pageTitle(data ? `Payout of ${formatCents(data.payout.amount)}` : "Payout") },
];

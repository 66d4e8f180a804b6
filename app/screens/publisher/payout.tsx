import type { LoaderFunctionArgs, MetaFunction } from "@remix-run/node";
import { useLoaderData } from "@remix-run/react";
import { Download } from "lucide-react";
import { z } from "zod";
import { getPayout, listPayoutLines } from "#app/domain/billing/payouts/list-payouts.server.ts";
import { payoutStatusLabels } from "#app/domain/billing/payouts/payout.ts";
import { formatDate } from "#app/domain/calendar-date.ts";
import type { PayoutId } from "#app/domain/ids.ts";
import { formatCents } from "#app/domain/money.ts";
import { pageTitle } from "#app/domain/product.ts";
import { enterPortal } from "#app/portal/enter-portal.server.ts";
import { portalHref } from "#app/portal/href.ts";
import { MoneyStatus } from "#app/screens/shared/billing/money-status.tsx";
import { formatCount, formatInstant } from "#app/ui/format.ts";
import { Breadcrumbs, Card, Facts, PageHeader } from "#app/ui/layout.tsx";
import { Notice } from "#app/ui/notice.tsx";
import { DataTable, Pagination } from "#app/ui/table.tsx";
import { idInAddress, orNotFoundPage } from "#app/web/not-found.server.ts";
import { readSearch } from "#app/web/search-params.server.ts";
import { lineColumns } from "./revenue-page/payout-columns.tsx";

const searchSchema = z.object({ after: z.coerce.number().int().min(0).max(2_000_000_000).catch(0) });
const pageSize = 500;

export async function loader({ request, params, context }: LoaderFunctionArgs) {
  const { ctx, base, viewer } = await enterPortal(request, "publisher", context);
  const { after } = readSearch(request, searchSchema);
  const payout = await orNotFoundPage(getPayout(ctx, idInAddress<PayoutId>(params.id)));
  const lines = await listPayoutLines(ctx, { id: payout.id, after, limit: pageSize });
  return { base, companyName: viewer.companyName, payout, lines, after };
}

export default function PayoutStatement() {
  const { base, companyName, payout, lines, after } = useLoaderData<typeof loader>();
  const { status, amount, spend, fee, failure, scheduledFor, createdAt, endedAt, returnedAt, bank, lastFour } = payout;
  const last = lines.at(-1)?.number ?? 0;
  const totals = { id: "total", number: 0, campaignName: "Total", settledThrough: null, spend, fee, earnings: amount };
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
            download
          >
            <Download aria-hidden />
            {format}
          </a>
        ))}
      />
      <div className="stack">
        {failure ? (
          <Notice tone="bad" title="This payout came back">
            {failure} The money is in your balance again.
          </Notice>
        ) : null}
        <Card title="Statement" aside={<MoneyStatus status={status} label={payoutStatusLabels[status]} />}>
          <Facts
            facts={[
              { label: "Amount", value: formatCents(amount) },
              { label: "Goes to", value: `${bank} ending ${lastFour}` },
              { label: "Made", value: `${formatInstant(createdAt)}, ${scheduledFor ? "monthly" : "as requested"}` },
              ...(endedAt
                ? [{ label: failure && !returnedAt ? "Came back" : "Arrived", value: formatInstant(endedAt) }]
                : []),
              ...(returnedAt ? [{ label: "Came back", value: formatInstant(returnedAt) }] : []),
              { label: "Number", value: <span className="wrap-anywhere">{payout.id}</span>, wide: true },
            ]}
          />
        </Card>
        <Card title="Lines" flush>
          <DataTable
            caption="What this payout pays"
            columns={lineColumns}
            rows={lines.map((line) => ({ ...line, id: String(line.number) }))}
            totals={totals}
          />
          <Pagination
            shown={`${formatCount(after + 1)}–${formatCount(last)} of ${formatCount(payout.lines)} lines`}
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

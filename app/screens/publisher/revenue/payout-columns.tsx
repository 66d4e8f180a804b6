import { describeAdjustment } from "#app/domain/billing/adjustment.ts";
import type { Payout, PayoutLine } from "#app/domain/billing/payouts/list-payouts.server.ts";
import { type PayoutSort, payoutStatusLabels } from "#app/domain/billing/payouts/payout.ts";
import { type CalendarDate, formatDate } from "#app/domain/calendar-date.ts";
import { asCents, formatCents, formatSignedCents } from "#app/domain/money.ts";
import { BillingStatusBadge } from "#app/screens/shared/billing/billing-status-badge.tsx";
import type { Column } from "#app/ui/table/column.ts";
import { RowTitle } from "#app/ui/table/row-title.tsx";
import { type ListSort, sortLink } from "#app/ui/table/sort-link.ts";

export function payoutColumns(list: ListSort<PayoutSort>): Column<Payout>[] {
  return [
    {
      header: "Payout",
      sort: sortLink(list, { descending: "newest", ascending: "oldest" }),
      place: "title",
      cell: ({ createdAt, scheduledFor, failure }) => (
        <RowTitle name={formatDate(createdAt)} detail={failure ?? (scheduledFor ? "Monthly" : "Requested")} />
      ),
    },
    { header: "Destination", priority: 2, width: 230, cell: ({ bank, lastFour }) => `${bank} ending ${lastFour}` },
    {
      header: "Status",
      place: "status",
      cell: ({ status }) => <BillingStatusBadge status={status} label={payoutStatusLabels[status]} />,
    },
    {
      header: "Arrived",
      sort: sortLink(list, { descending: "arrived" }),
      priority: 1,
      cell: ({ endedAt, status }) => (endedAt && status === "paid" ? formatDate(endedAt) : "–"),
    },
    {
      header: "Amount",
      sort: sortLink(list, { descending: "amount" }),
      place: "amount",
      align: "right",
      cell: ({ amount }) => formatCents(amount),
    },
  ];
}

type PayoutLineRow = Omit<PayoutLine, "settledThrough"> & { id: string; settledThrough: CalendarDate | null };

/** The columns of payout lines: on each line, spend − fee = earning. */
export const payoutLineColumns: Column<PayoutLineRow>[] = [
  {
    header: "Campaign",
    place: "title",
    cell: ({ campaignName, adjustsMonth, settledThrough }) => (
      <RowTitle
        name={campaignName}
        detail={adjustsMonth ? describeAdjustment(adjustsMonth) : undefined}
        narrowDetail={settledThrough ? formatDate(settledThrough) : undefined}
      />
    ),
  },
  {
    header: "Settled through",
    priority: 1,
    width: 140,
    cell: ({ settledThrough }) => (settledThrough ? formatDate(settledThrough) : ""),
  },
  { header: "Advertiser spend", align: "right", priority: 3, width: 140, cell: ({ spend }) => formatCents(spend) },
  { header: "Platform fee", align: "right", priority: 2, cell: ({ fee }) => formatSignedCents(asCents(0 - fee)) },
  {
    header: "Your earnings",
    place: "amount",
    align: "right",
    cell: ({ earnings }) => <strong>{formatSignedCents(earnings)}</strong>,
  },
];

import type { Payout, PayoutLine } from "#app/domain/billing/payouts/list-payouts.server.ts";
import { payoutStatusLabels } from "#app/domain/billing/payouts/payout.ts";
import { type CalendarDate, formatDate } from "#app/domain/calendar-date.ts";
import { formatCents } from "#app/domain/money.ts";
import { MoneyStatus } from "#app/screens/shared/billing/money-status.tsx";
import type { Column } from "#app/ui/table.tsx";

export const payoutColumns: Column<Payout>[] = [
  {
    head: "Payout",
    wide: true,
    cell: ({ createdAt, scheduledFor, failure }) => (
      <>
        <strong>{formatDate(createdAt)}</strong>
        <small>{failure ?? (scheduledFor ? "Monthly" : "Requested")}</small>
      </>
    ),
  },
  { head: "Goes to", cell: ({ bank, lastFour }) => `${bank} ending ${lastFour}` },
  { head: "Status", cell: ({ status }) => <MoneyStatus status={status} label={payoutStatusLabels[status]} /> },
  { head: "Arrived", cell: ({ endedAt, status }) => (endedAt && status === "paid" ? formatDate(endedAt) : "–") },
  { head: "Amount", right: true, cell: ({ amount }) => formatCents(amount) },
];

type ShownLine = Omit<PayoutLine, "settledThrough"> & { id: string; settledThrough: CalendarDate | null };

/** Of each line spend − fee = earning. */
export const lineColumns: Column<ShownLine>[] = [
  { head: "Campaign", wide: true, cell: ({ campaignName }) => <strong>{campaignName}</strong> },
  { head: "Settled until", cell: ({ settledThrough }) => (settledThrough ? formatDate(settledThrough) : "") },
  { head: "Advertiser spend", right: true, cell: ({ spend }) => formatCents(spend) },
  { head: "Platform fee", right: true, cell: ({ fee }) => formatCents(fee) },
  { head: "Your earning", right: true, cell: ({ earnings }) => <strong>{formatCents(earnings)}</strong> },
];

import type { LoaderFunctionArgs } from "@remix-run/node";
import { getPayout, listPayoutLines } from "#app/domain/billing/payouts/list-payouts.server.ts";
import { payoutStatusLabels } from "#app/domain/billing/payouts/payout.ts";
import { formatDate } from "#app/domain/calendar-date.ts";
import type { PayoutId } from "#app/domain/ids.ts";
import { formatCents } from "#app/domain/money.ts";
import { productName } from "#app/domain/product.ts";
import { enterPortal } from "#app/portal/enter-portal.server.ts";
import { formatInstant } from "#app/ui/format.ts";
import { idInAddress, orNotFoundPage } from "#app/web/not-found.server.ts";
import { moreOnFile, mostOnPaper, pdfAnswer } from "#app/web/pdf-answer.server.ts";

/** A payout's statement on paper. */
export async function loader({ request, params, context }: LoaderFunctionArgs) {
  const { ctx, viewer } = await enterPortal(request, "publisher", context);
  const payout = await orNotFoundPage(getPayout(ctx, idInAddress<PayoutId>(params.id)));
  const lines = await listPayoutLines(ctx, { id: payout.id, limit: mostOnPaper });
  const { amount, spend, fee, status, failure, scheduledFor, createdAt, endedAt, returnedAt, bank, lastFour } = payout;
  const document = {
    title: `Payout of ${formatCents(amount)}`,
    subtitle: `${viewer.companyName} · ${formatDate(createdAt)}`,
    issuer: productName,
    madeAt: createdAt,
    facts: [
      { label: "Status", value: failure ? `${payoutStatusLabels[status]}: ${failure}` : payoutStatusLabels[status] },
      { label: "Goes to", value: `${bank} ending ${lastFour}` },
      { label: "Made", value: `${formatInstant(createdAt)}, ${scheduledFor ? "monthly" : "as requested"}` },
      ...(endedAt ? [{ label: failure && !returnedAt ? "Came back" : "Arrived", value: formatInstant(endedAt) }] : []),
      ...(returnedAt ? [{ label: "Came back", value: formatInstant(returnedAt) }] : []),
      { label: "Number", value: payout.id },
    ],
    table: {
      columns: [
        { head: "Campaign", width: 4 },
        { head: "Settled until", width: 2 },
        { head: "Advertiser spend", width: 2, right: true },
        { head: "Platform fee", width: 1.7, right: true },
        { head: "Your earning", width: 1.7, right: true },
      ],
      rows: lines.map((line) => [
        ...[line.campaignName, formatDate(line.settledThrough), formatCents(line.spend), formatCents(line.fee)],
        formatCents(line.earnings),
      ]),
      totals: ["Total", "", formatCents(spend), formatCents(fee), formatCents(amount)],
    },
    note: moreOnFile(payout.lines > lines.length),
  };
  return pdfAnswer(ctx, { request, fileName: `payout-${createdAt.toISOString().slice(0, 10)}.pdf`, document });
}

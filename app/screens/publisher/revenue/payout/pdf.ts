import type { LoaderFunctionArgs } from "@remix-run/node";
import { withAdjustment } from "#app/domain/billing/adjustment.ts";
import { getPayout, listPayoutLines } from "#app/domain/billing/payouts/list-payouts.server.ts";
import { payoutStatusLabels } from "#app/domain/billing/payouts/payout.ts";
import { appName } from "#app/domain/branding.ts";
import { formatDate } from "#app/domain/calendar-date.ts";
import type { PayoutId } from "#app/domain/ids.ts";
import { asCents, formatCents, formatSignedCents } from "#app/domain/money.ts";
import { requirePortalAccess } from "#app/portal/require-portal-access.server.ts";
import { formatDateTime } from "#app/ui/format.ts";
import { orThrow404, requireIdParam } from "#app/web/not-found.server.ts";
import { maxPdfLines, pdfResponse, pdfTruncationNote } from "#app/web/pdf-response.server.ts";

/** Exports a payout's statement as PDF. */
export async function loader({ request, params, context }: LoaderFunctionArgs) {
  const { ctx, viewer } = await requirePortalAccess(request, "publisher", context);
  const payout = await orThrow404(getPayout(ctx, requireIdParam<PayoutId>(params.id)));
  const lines = await listPayoutLines(ctx, { id: payout.id, limit: maxPdfLines });
  const { amount, spend, fee, status, failure, scheduledFor, createdAt, endedAt, returnedAt, bank, lastFour } = payout;
  const document = {
    title: `Payout of ${formatCents(amount)}`,
    subtitle: `${viewer.companyName} · ${formatDate(createdAt)}`,
    issuer: appName,
    createdAt: createdAt,
    facts: [
      { label: "Status", value: failure ? `${payoutStatusLabels[status]}: ${failure}` : payoutStatusLabels[status] },
      { label: "Destination", value: `${bank} ending ${lastFour}` },
      { label: "Initiated", value: `${formatDateTime(createdAt)}, ${scheduledFor ? "monthly" : "on request"}` },
      ...(endedAt ? [{ label: failure && !returnedAt ? "Returned" : "Arrived", value: formatDateTime(endedAt) }] : []),
      ...(returnedAt ? [{ label: "Returned", value: formatDateTime(returnedAt) }] : []),
      { label: "Payout ID", value: payout.id },
    ],
    table: {
      columns: [
        { head: "Campaign", width: 4 },
        { head: "Settled through", width: 2 },
        { head: "Advertiser spend", width: 2, right: true },
        { head: "Platform fee", width: 1.7, right: true },
        { head: "Your earnings", width: 1.7, right: true },
      ],
      rows: lines.map((line) => [
        ...[withAdjustment(line.campaignName, line.adjustsMonth), formatDate(line.settledThrough)],
        formatCents(line.spend),
        ...[formatSignedCents(asCents(0 - line.fee)), formatSignedCents(line.earnings)],
      ]),
      totals: ["Total", "", formatCents(spend), formatSignedCents(asCents(0 - fee)), formatSignedCents(amount)],
    },
    note: pdfTruncationNote(payout.lines > lines.length),
  };
  return pdfResponse(ctx, { request, fileName: `payout-${createdAt.toISOString().slice(0, 10)}.pdf`, document });
}

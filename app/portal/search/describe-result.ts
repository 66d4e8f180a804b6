import { segmentLabels } from "#app/domain/audiences/audience.ts";
import { deriveInvoiceStatus, formatInvoiceNumber, invoiceStatusLabels } from "#app/domain/billing/invoices/invoice.ts";
import { payoutStatusLabels } from "#app/domain/billing/payouts/payout.ts";
import { formatDate } from "#app/domain/calendar-date.ts";
import { calendarMonthOf, formatMonth } from "#app/domain/calendar-month.ts";
import { displayCampaignName, statusLabels } from "#app/domain/campaigns/campaign.ts";
import { creativeTypeLabels } from "#app/domain/creatives/creative.ts";
import { formatCents } from "#app/domain/money.ts";
import type { SearchResult } from "#app/domain/search/search-result.ts";

/** A result's path in its portal, its title, and a line of what its list shows. */
export function describeResult(
  { kind, id, title, facts }: SearchResult,
  now: Date,
): { path: `/${string}`; title: string; detail: string } {
  switch (kind) {
    case "campaign":
      return {
        path: `/campaigns/${id}`,
        title: displayCampaignName(title),
        detail: facts.isArchived ? "Archived" : statusLabels[facts.status],
      };
    case "line_item": {
      const isPending = facts.approvalStatus === "pending";
      const status = isPending ? "Needs your review" : facts.isArchived ? "Archived" : statusLabels[facts.status];
      const path = isPending ? (`/approval/${id}` as const) : (`/campaigns/${id}` as const);
      return { path, title, detail: `${facts.advertiserName} · ${status}` };
    }
    case "audience": {
      const segment = segmentLabels[facts.segment];
      const detail = facts.publisherName ? `${facts.publisherName} · ${segment}` : segment;
      return { path: `/audiences/${id}`, title, detail };
    }
    case "product":
      return { path: `/products/${id}`, title, detail: `${facts.sku} · ${facts.category}` };
    case "creative": {
      const detail = `${creativeTypeLabels[facts.type]} · ${facts.width} × ${facts.height}`;
      return { path: `/creatives?${new URLSearchParams({ q: title })}`, title, detail };
    }
    case "invoice": {
      const status = invoiceStatusLabels[deriveInvoiceStatus(facts, now)];
      const month = formatMonth(calendarMonthOf(new Date(facts.month)));
      const detail = `${month} · ${formatCents(facts.amount)} · ${status}`;
      return { path: `/billing/invoices/${id}`, title: formatInvoiceNumber(Number(title)), detail };
    }
    case "payout": {
      const detail = `${formatCents(facts.amount)} · ${payoutStatusLabels[facts.status]}`;
      return { path: `/revenue/payouts/${id}`, title: `Payout of ${formatDate(facts.createdAt)}`, detail };
    }
    case "statement":
      return { path: `/billing/statements?month=${facts.month}`, title: `Statement for ${title}`, detail: "" };
  }
}

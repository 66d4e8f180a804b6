import { addDays, type CalendarDate, calendarDateOf } from "../../calendar-date.ts";

/** The payment term in days from the issue date. */
const paymentTermDays = 30;

/** The statuses of an invoice. Pure. */
export const invoiceStatuses = ["open", "overdue", "paid"] as const;
export type InvoiceStatus = (typeof invoiceStatuses)[number];

export const invoiceStatusLabels: Record<InvoiceStatus, string> = { open: "Open", overdue: "Overdue", paid: "Paid" };

/** The orders of a list of invoices: `newest` by issue, the latest due date or the highest amount first. */
export const invoiceSorts = ["newest", "oldest", "due", "due_first", "amount", "open"] as const;
export type InvoiceSort = (typeof invoiceSorts)[number];

/** Formats an invoice number, such as `INV-000042`. Pure. */
export function formatInvoiceNumber(number: number): string {
  return `INV-${String(number).padStart(6, "0")}`;
}

/** Parses `INV-000042`, `inv-42` or `42`; undefined for anything else. Pure. */
export function parseInvoiceNumber(text: string): number | undefined {
  const match = /^(?:INV-)?0*(\d{1,9})$/i.exec(text.trim());
  return match?.[1] ? Number(match[1]) : undefined;
}

/** Returns the due date (UTC). Pure. */
export function invoiceDueDate(issuedAt: Date): CalendarDate {
  return addDays(calendarDateOf(issuedAt), paymentTermDays);
}

/** Returns the status of an invoice from its open amount and due date. Pure. */
export function deriveInvoiceStatus({ open, dueOn }: { open: number; dueOn: CalendarDate }, now: Date): InvoiceStatus {
  if (open === 0) return "paid";
  return dueOn < calendarDateOf(now) ? "overdue" : "open";
}

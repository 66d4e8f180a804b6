import { addDays, type CalendarDate, calendarDateOf } from "../../calendar-date.ts";

/** An invoice is to be paid within so many days of its issue. */
const paymentTermDays = 30;

/** How an invoice stands. Pure. */
export const invoiceStatuses = ["open", "overdue", "paid"] as const;
export type InvoiceStatus = (typeof invoiceStatuses)[number];

export const invoiceStatusLabels: Record<InvoiceStatus, string> = { open: "Open", overdue: "Overdue", paid: "Paid" };

/** `INV-000042`. Pure. */
export function invoiceName(number: number): string {
  return `INV-${String(number).padStart(6, "0")}`;
}

/** 42 of `INV-000042`, `inv-42` or `42`; undefined for anything else. Pure. */
export function parseInvoiceName(text: string): number | undefined {
  const match = /^(?:INV-)?0*(\d{1,9})$/i.exec(text.trim());
  return match?.[1] ? Number(match[1]) : undefined;
}

/** The last day (UTC) to pay on. Pure. */
export function dueDayOf(issuedAt: Date): CalendarDate {
  return addDays(calendarDateOf(issuedAt), paymentTermDays);
}

/** Pure. */
export function invoiceStatusOf({ open, dueOn }: { open: number; dueOn: CalendarDate }, now: Date): InvoiceStatus {
  if (open === 0) return "paid";
  return dueOn < calendarDateOf(now) ? "overdue" : "open";
}

import { v7 } from "uuid";
import { z } from "zod";

/**
 * Ids are UUID v7, made by the application: they sort by time, so that new rows land at the end of an index.
 * On the wire they are opaque strings. A string that is no UUID is an id that does not exist.
 */
declare const brand: unique symbol;
type Id<Name extends string> = string & { readonly [brand]: Name };

export type AccountId = Id<"account">;
export type UserId = Id<"user">;
export type ApiKeyId = Id<"api_key">;
export type AudienceId = Id<"audience">;
export type UploadId = Id<"upload">;
export type ConnectionId = Id<"connection">;
export type ProductId = Id<"product">;
export type CreativeId = Id<"creative">;
export type ImportId = Id<"import">;
export type StoreId = Id<"store">;
export type CampaignId = Id<"campaign">;
export type LineItemId = Id<"line_item">;
export type SubscriptionId = Id<"subscription">;
export type PlanChangeId = Id<"plan_change">;
export type AuditEntryId = Id<"audit_entry">;
export type DecisionId = Id<"decision">;
export type DeliveryReportId = Id<"delivery_report">;
export type LedgerAccountId = Id<"ledger_account">;
export type LedgerTransactionId = Id<"ledger_transaction">;
export type RevenueShareId = Id<"revenue_share">;
export type TransactionId = Id<"transaction">;
export type NotificationId = Id<"notification">;
export type MailId = Id<"mail">;
export type WebhookId = Id<"webhook">;
export type WebhookDeliveryId = Id<"webhook_delivery">;
export type PaymentMethodId = Id<"payment_method">;
export type RefundId = Id<"refund">;
export type TopUpId = Id<"top_up">;
export type NettedPlanId = Id<"netted_plan">;
export type TakenBackId = Id<"taken_back">;
export type InvoiceId = Id<"invoice">;
export type InvoiceCreditId = Id<"invoice_credit">;
export type PayoutId = Id<"payout">;

/** A new id, ordered by the time of its making. */
export function newId<T extends Id<string>>(): T {
  return v7() as T;
}

const uuid = z.uuid();

/** Reads an id from outside; undefined when it cannot be one. */
export function parseId<T extends Id<string>>(value: string | undefined): T | undefined {
  const read = uuid.safeParse(value);
  return read.success ? (read.data.toLowerCase() as T) : undefined;
}

/** The schema of an id in a payload: lower-case UUID. */
export function idSchema<T extends Id<string>>() {
  return z.uuid("Unknown id").transform((value) => value.toLowerCase() as T);
}

import type { AccountType } from "../accounts/account.ts";
import { mailEventsFor } from "../notifications/mail-kinds.ts";
import type { NotificationEvent } from "../notifications/notification.ts";

type EventDefinition = { name: string; label: string };

/**
 * The webhook event of each notification. Event names are stable; a changed field needs a new event version. Null:
 * notification for people only. Pure.
 */
const webhookEventByNotification = {
  account_registered: null,
  account_approved: { name: "account.approved", label: "Account approved" },
  account_suspended: null,
  campaign_submitted: { name: "campaign.submitted", label: "Campaign submitted" },
  decision_needed: { name: "campaign.decision_needed", label: "Review needed" },
  campaign_approved: { name: "campaign.approved", label: "Campaign approved" },
  campaign_rejected: { name: "campaign.rejected", label: "Campaign rejected" },
  managed_campaign_created: {
    name: "campaign.created_for_you",
    label: "Campaign created for you",
  },
  campaign_paused: { name: "campaign.paused", label: "Campaign paused" },
  campaign_resumed: { name: "campaign.resumed", label: "Campaign resumed" },
  campaign_completed: { name: "campaign.completed", label: "Campaign completed" },
  spend_refunded: { name: "spend.refunded", label: "Spend refunded" },
  balance_negative: { name: "balance.negative", label: "Balance negative" },
  invoice_issued: { name: "invoice.issued", label: "Invoice issued" },
  payout_paid: { name: "payout.paid", label: "Payout paid" },
  payout_failed: { name: "payout.failed", label: "Payout failed" },
  campaign_decided: { name: "campaign.decided", label: "All publishers reviewed" },
  decision_reminder: {
    name: "campaign.decision_reminder",
    label: "Review reminder after 24 hours",
  },
  campaign_starts_tomorrow: { name: "campaign.starts_tomorrow", label: "Campaign starts tomorrow" },
  budget_nearly_used: { name: "campaign.budget_nearly_used", label: "80% of budget spent" },
  budget_used_up: { name: "campaign.budget_used_up", label: "Budget spent" },
  wallet_low: { name: "wallet.low", label: "Wallet running low" },
  wallet_empty: { name: "wallet.empty", label: "Campaigns on hold: insufficient funds" },
  audience_imported: { name: "audience.imported", label: "Audience file imported" },
  audience_below_minimum: {
    name: "audience.below_minimum",
    label: "Audience below minimum size",
  },
  audience_import_failed: { name: "audience.import_failed", label: "Audience file import failed" },
  audience_refresh_failed: { name: "audience.refresh_failed", label: "Audience refresh failed" },
  account_closing: null,
  new_sign_in: null,
  webhook_disabled: null,
  subscription_changed: { name: "subscription.changed", label: "Plan changed" },
  subscription_payment_failed: {
    name: "subscription.payment_failed",
    label: "Plan payment failed",
  },
  subscription_ended: { name: "subscription.ended", label: "Plan ended" },
  payment_reversed: { name: "payment.taken_back", label: "Payment reversed" },
  payment_reinstated: { name: "payment.reinstated", label: "Payment reinstated" },
  report_ready: null,
  email_confirmation: null,
} as const satisfies Record<NotificationEvent, EventDefinition | null>;

type Entry = NonNullable<(typeof webhookEventByNotification)[keyof typeof webhookEventByNotification]>;
export type WebhookEvent = Entry["name"];

/** The version of the event format. An additional field does not change it. */
export const webhookVersion = 1;

const entries: readonly Entry[] = Object.values(webhookEventByNotification).flatMap((entry) => entry ?? []);

/** Every event that a webhook can subscribe to. */
export const webhookEvents: readonly WebhookEvent[] = entries.map(({ name }) => name);

/** Lists the events that an account of this type can receive, with their labels. */
export function webhookEventsFor(accountType: AccountType): { name: WebhookEvent; label: string }[] {
  return mailEventsFor(accountType).flatMap((event) => webhookEventByNotification[event] ?? []);
}

/** Returns the webhook event of a notification; undefined when webhooks do not receive it. */
export function toWebhookEvent(event: NotificationEvent): WebhookEvent | undefined {
  return webhookEventByNotification[event]?.name;
}

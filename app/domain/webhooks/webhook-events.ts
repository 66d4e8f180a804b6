import type { AccountType } from "../accounts/account.ts";
import { mailsFor } from "../notifications/mail-kinds.ts";
import type { NotificationEvent } from "../notifications/notification.ts";

type Sent = { name: string; label: string };

/**
 * What an account is told, as its programs are told it: the names are promises, and a change of what an event holds is a new
 * version of it. Null: only for people. Pure.
 */
const sentAs = {
  account_registered: null,
  account_approved: { name: "account.approved", label: "Your account is approved again" },
  account_suspended: null,
  campaign_submitted: { name: "campaign.submitted", label: "A campaign is submitted" },
  decision_needed: { name: "campaign.decision_needed", label: "A campaign waits for your decision" },
  campaign_approved: { name: "campaign.approved", label: "A publisher approves a campaign" },
  campaign_rejected: { name: "campaign.rejected", label: "A publisher rejects a campaign" },
  managed_campaign_created: {
    name: "campaign.created_for_you",
    label: "A publisher creates a campaign for you",
  },
  campaign_paused: { name: "campaign.paused", label: "The other side pauses a campaign" },
  campaign_resumed: { name: "campaign.resumed", label: "The other side resumes a campaign" },
  campaign_completed: { name: "campaign.completed", label: "A campaign is completed" },
  spend_refunded: { name: "spend.refunded", label: "Spend is given back" },
  invoice_issued: { name: "invoice.issued", label: "An invoice is issued" },
  payout_paid: { name: "payout.paid", label: "A payout arrives" },
  payout_failed: { name: "payout.failed", label: "A payout fails" },
  campaign_decided: { name: "campaign.decided", label: "All publishers of a campaign have decided" },
  decision_reminder: {
    name: "campaign.decision_reminder",
    label: "A decision has waited for 24 hours",
  },
  campaign_starts_tomorrow: { name: "campaign.starts_tomorrow", label: "A campaign starts tomorrow" },
  budget_nearly_used: { name: "campaign.budget_nearly_used", label: "80 % of a budget is used" },
  budget_used_up: { name: "campaign.budget_used_up", label: "A budget is used up" },
  wallet_low: { name: "wallet.low", label: "The wallet will soon be empty" },
  wallet_empty: { name: "wallet.empty", label: "Campaigns wait for money" },
  audience_imported: { name: "audience.imported", label: "An audience's import is finished" },
  audience_below_minimum: {
    name: "audience.below_minimum",
    label: "An audience is below 1,000 people",
  },
  audience_import_failed: { name: "audience.import_failed", label: "An audience's import fails" },
  audience_refresh_failed: { name: "audience.refresh_failed", label: "An audience's refresh fails" },
  new_sign_in: null,
  webhook_disabled: null,
  subscription_changed: { name: "subscription.changed", label: "Your plan changes" },
  subscription_payment_failed: {
    name: "subscription.payment_failed",
    label: "The payment of your plan fails",
  },
  subscription_ended: { name: "subscription.ended", label: "Your plan ends" },
  payment_taken_back: { name: "payment.taken_back", label: "A payment is taken back" },
  payment_reinstated: { name: "payment.reinstated", label: "A payment that was taken back stands" },
} as const satisfies Record<NotificationEvent, Sent | null>;

type Entry = NonNullable<(typeof sentAs)[keyof typeof sentAs]>;
export type WebhookEvent = Entry["name"];

/** The version of all events' shape: a field more is no new one. */
export const webhookVersion = 1;

const entries: readonly Entry[] = Object.values(sentAs).flatMap((entry) => entry ?? []);

/** Every event that can be chosen. */
export const webhookEvents: readonly WebhookEvent[] = entries.map(({ name }) => name);

/** Those that one side can get, as its people are told them, with words for each, by name. */
export function webhookEventsFor(side: AccountType): { name: WebhookEvent; label: string }[] {
  return mailsFor(side).flatMap((event) => sentAs[event] ?? []);
}

/** What a notice is called for programs; undefined when they are not told. */
export function webhookEventOf(event: NotificationEvent): WebhookEvent | undefined {
  return sentAs[event]?.name;
}

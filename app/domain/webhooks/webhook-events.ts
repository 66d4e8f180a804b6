import type { AccountType } from "../accounts/account.ts";
import type { NotificationEvent } from "../notifications/notification.ts";

type Sent = { name: string; label: string; sides: readonly AccountType[] };

const both = ["advertiser", "publisher"] as const;
const advertiser = ["advertiser"] as const;
const publisher = ["publisher"] as const;

/**
 * What an account is told, as its programs are told it: the names are promises, and a change of what an event holds is a new
 * version of it. Null: only for people. Pure.
 */
const sentAs = {
  account_registered: null,
  account_approved: { name: "account.approved", label: "Your account is approved again", sides: both },
  account_suspended: null,
  campaign_submitted: { name: "campaign.submitted", label: "A campaign is submitted", sides: advertiser },
  decision_needed: { name: "campaign.decision_needed", label: "A campaign waits for your decision", sides: publisher },
  campaign_approved: { name: "campaign.approved", label: "A publisher approves a campaign", sides: advertiser },
  campaign_rejected: { name: "campaign.rejected", label: "A publisher rejects a campaign", sides: advertiser },
  managed_campaign_created: {
    name: "campaign.created_for_you",
    label: "A publisher creates a campaign for you",
    sides: advertiser,
  },
  campaign_paused: { name: "campaign.paused", label: "The other side pauses a campaign", sides: both },
  campaign_resumed: { name: "campaign.resumed", label: "The other side resumes a campaign", sides: both },
  campaign_completed: { name: "campaign.completed", label: "A campaign is completed", sides: both },
  spend_refunded: { name: "spend.refunded", label: "Spend is given back", sides: advertiser },
  invoice_issued: { name: "invoice.issued", label: "An invoice is issued", sides: advertiser },
  payout_paid: { name: "payout.paid", label: "A payout arrives", sides: publisher },
  payout_failed: { name: "payout.failed", label: "A payout fails", sides: publisher },
  campaign_decided: { name: "campaign.decided", label: "All publishers of a campaign have decided", sides: advertiser },
  decision_reminder: {
    name: "campaign.decision_reminder",
    label: "A decision has waited for 24 hours",
    sides: publisher,
  },
  campaign_starts_tomorrow: { name: "campaign.starts_tomorrow", label: "A campaign starts tomorrow", sides: both },
  budget_nearly_used: { name: "campaign.budget_nearly_used", label: "80 % of a budget is used", sides: advertiser },
  budget_used_up: { name: "campaign.budget_used_up", label: "A budget is used up", sides: advertiser },
  wallet_low: { name: "wallet.low", label: "The wallet will soon be empty", sides: advertiser },
  wallet_empty: { name: "wallet.empty", label: "Campaigns wait for money", sides: advertiser },
  audience_imported: { name: "audience.imported", label: "An audience's import is finished", sides: publisher },
  audience_below_minimum: {
    name: "audience.below_minimum",
    label: "An audience is below 1,000 people",
    sides: publisher,
  },
  audience_import_failed: { name: "audience.import_failed", label: "An audience's import fails", sides: publisher },
  audience_refresh_failed: { name: "audience.refresh_failed", label: "An audience's refresh fails", sides: publisher },
  new_sign_in: null,
  webhook_disabled: null,
  subscription_changed: { name: "subscription.changed", label: "Your plan changes", sides: publisher },
  subscription_payment_failed: {
    name: "subscription.payment_failed",
    label: "The payment of your plan fails",
    sides: publisher,
  },
  subscription_ended: { name: "subscription.ended", label: "Your plan ends", sides: publisher },
} as const satisfies Record<NotificationEvent, Sent | null>;

type Entry = NonNullable<(typeof sentAs)[keyof typeof sentAs]>;
export type WebhookEvent = Entry["name"];

/** The version of all events' shape: a field more is no new one. */
export const webhookVersion = 1;

const entries: readonly Entry[] = Object.values(sentAs).flatMap((entry) => entry ?? []);

/** Every event that can be chosen. */
export const webhookEvents: readonly WebhookEvent[] = entries.map(({ name }) => name);

/** Those that one side can get, with words for each, by name. */
export function webhookEventsFor(side: AccountType): { name: WebhookEvent; label: string }[] {
  return entries.filter((entry: Sent) => entry.sides.includes(side)).map(({ name, label }) => ({ name, label }));
}

/** What a notice is called for programs; undefined when they are not told. */
export function webhookEventOf(event: NotificationEvent): WebhookEvent | undefined {
  return sentAs[event]?.name;
}

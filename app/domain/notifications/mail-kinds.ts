import type { AccountType } from "../accounts/account.ts";
import { type NotificationEvent, notificationEvents } from "./notification.ts";

/** The kinds of mails that users choose among. Pure. */
export const mailGroups = ["decisions", "campaigns", "audiences", "money", "reports"] as const;
export type MailGroup = (typeof mailGroups)[number];

export const mailGroupLabels: Record<MailGroup, string> = {
  decisions: "Decisions",
  campaigns: "Campaigns",
  audiences: "Audiences",
  money: "Billing",
  reports: "Reports",
};

/**
 * `group` is null for mandatory mails: about the account itself, sign-ins, and money that moved. The others are
 * optional and have an unsubscribe link.
 */
type MailKind = {
  label: string;
  group: MailGroup | null;
  readers: readonly AccountType[];
  /** Whether it is sent at the time that its schedule says, never with the daily digest. */
  isScheduled?: boolean;
};

const advertiser = ["advertiser"] as const;
const publisher = ["publisher"] as const;
const bothTypes = ["advertiser", "publisher"] as const;

export const mailKinds: Record<NotificationEvent, MailKind> = {
  account_registered: { label: "Welcome", group: null, readers: bothTypes },
  account_approved: { label: "Account approved", group: null, readers: bothTypes },
  account_suspended: { label: "Account suspended", group: null, readers: bothTypes },
  account_closing: { label: "Account closing", group: null, readers: bothTypes },
  new_sign_in: { label: "New sign-in", group: null, readers: bothTypes },
  email_confirmation: { label: "Confirmation of your email address", group: null, readers: bothTypes },
  webhook_disabled: { label: "Webhook disabled", group: null, readers: bothTypes },
  spend_refunded: { label: "Spend refunded", group: null, readers: bothTypes },
  balance_negative: { label: "Balance negative", group: null, readers: publisher },
  invoice_issued: { label: "Invoice issued", group: null, readers: advertiser },
  payout_paid: { label: "Payout paid", group: null, readers: publisher },
  payout_failed: { label: "Payout failed", group: null, readers: publisher },
  subscription_changed: { label: "Plan changed", group: null, readers: publisher },
  subscription_payment_failed: { label: "Plan payment failed", group: null, readers: publisher },
  subscription_ended: { label: "Plan ended", group: null, readers: publisher },
  payment_reversed: { label: "Payment reversed", group: null, readers: bothTypes },
  payment_reinstated: { label: "Payment reinstated", group: null, readers: bothTypes },
  campaign_submitted: { label: "Campaign submitted", group: "decisions", readers: advertiser },
  campaign_approved: { label: "Campaign approved", group: "decisions", readers: advertiser },
  campaign_rejected: { label: "Campaign rejected", group: "decisions", readers: advertiser },
  campaign_decided: { label: "All publishers reviewed", group: "decisions", readers: advertiser },
  decision_needed: { label: "Review needed", group: "decisions", readers: publisher },
  decision_reminder: { label: "Review reminder after 24 hours", group: "decisions", readers: publisher },
  managed_campaign_created: {
    label: "Campaign created for you",
    group: "campaigns",
    readers: advertiser,
  },
  campaign_starts_tomorrow: { label: "Campaign starts tomorrow", group: "campaigns", readers: bothTypes },
  campaign_paused: { label: "Campaign paused", group: "campaigns", readers: bothTypes },
  campaign_resumed: { label: "Campaign resumed", group: "campaigns", readers: bothTypes },
  campaign_completed: { label: "Campaign completed, with a summary", group: "campaigns", readers: bothTypes },
  budget_nearly_used: { label: "80% of budget spent", group: "campaigns", readers: advertiser },
  budget_used_up: { label: "Budget spent", group: "campaigns", readers: advertiser },
  audience_imported: { label: "Audience file imported", group: "audiences", readers: publisher },
  audience_import_failed: { label: "Audience file import failed", group: "audiences", readers: publisher },
  audience_below_minimum: { label: "Audience below minimum size", group: "audiences", readers: publisher },
  audience_refresh_failed: { label: "Audience refresh failed", group: "audiences", readers: publisher },
  wallet_low: { label: "Wallet running low", group: "money", readers: advertiser },
  wallet_empty: { label: "Campaigns on hold: insufficient funds", group: "money", readers: advertiser },
  report_ready: { label: "Scheduled reports", group: "reports", readers: bothTypes, isScheduled: true },
};

/** Returns whether this version knows the event: one of a newer version can be in the database during an upgrade. */
export function isKnownEvent(event: NotificationEvent): boolean {
  return Object.hasOwn(mailKinds, event);
}

/**
 * Returns whether mails of the event are optional. Those of a newer version's event are not, as nobody could choose.
 */
export function isOptionalMail(event: NotificationEvent): boolean {
  return isKnownEvent(event) && mailKinds[event].group !== null;
}

/** Returns whether mails of the event wait for the daily digest of people who want one. */
export function isDigestMail(event: NotificationEvent): boolean {
  return isOptionalMail(event) && !mailKinds[event].isScheduled;
}

/** Lists the events that an account of this type can receive by mail. */
export function mailEventsFor(reader: AccountType): NotificationEvent[] {
  return notificationEvents.filter((event) => mailKinds[event].readers.includes(reader));
}

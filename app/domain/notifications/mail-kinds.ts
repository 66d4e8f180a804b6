import type { AccountType } from "../accounts/account.ts";
import { type NotificationEvent, notificationEvents } from "./notification.ts";

/** Which mails there are, for the person who chooses among them. Pure. */
export const mailGroups = ["decisions", "campaigns", "audiences", "money"] as const;
export type MailGroup = (typeof mailGroups)[number];

export const mailGroupLabels: Record<MailGroup, string> = {
  decisions: "Decisions",
  campaigns: "Running campaigns",
  audiences: "Audiences",
  money: "Money",
};

/**
 * `group` is null for what is always sent: mails about the account itself, about who got in, and about money that moved. The
 * others one can do without, so they carry a way to end them.
 */
type MailKind = { label: string; group: MailGroup | null; readers: readonly AccountType[] };

const advertiser = ["advertiser"] as const;
const publisher = ["publisher"] as const;
const either = ["advertiser", "publisher"] as const;

export const mailKinds: Record<NotificationEvent, MailKind> = {
  account_registered: { label: "Welcome", group: null, readers: either },
  account_approved: { label: "Your account is approved", group: null, readers: either },
  account_suspended: { label: "Your account is suspended", group: null, readers: either },
  new_sign_in: { label: "A sign-in with a new browser", group: null, readers: either },
  webhook_disabled: { label: "A webhook is switched off", group: null, readers: either },
  spend_refunded: { label: "Spend that is given back", group: null, readers: advertiser },
  invoice_issued: { label: "An invoice is issued", group: null, readers: advertiser },
  payout_paid: { label: "A payout arrived", group: null, readers: publisher },
  payout_failed: { label: "A payout failed", group: null, readers: publisher },
  subscription_changed: { label: "Your plan changed", group: null, readers: publisher },
  subscription_payment_failed: { label: "The payment of your plan failed", group: null, readers: publisher },
  subscription_ended: { label: "Your plan has ended", group: null, readers: publisher },
  payment_taken_back: { label: "A payment of yours is taken back", group: null, readers: either },
  payment_reinstated: { label: "A payment that was taken back stands", group: null, readers: either },
  campaign_submitted: { label: "Your campaign is submitted", group: "decisions", readers: advertiser },
  campaign_approved: { label: "A publisher approved your campaign", group: "decisions", readers: advertiser },
  campaign_rejected: { label: "A publisher rejected your campaign", group: "decisions", readers: advertiser },
  campaign_decided: { label: "All publishers decided on a campaign", group: "decisions", readers: advertiser },
  decision_needed: { label: "A campaign or a change waits for your decision", group: "decisions", readers: publisher },
  decision_reminder: { label: "A reminder when one has waited 24 hours", group: "decisions", readers: publisher },
  managed_campaign_created: {
    label: "A publisher created a campaign for you",
    group: "campaigns",
    readers: advertiser,
  },
  campaign_starts_tomorrow: { label: "A campaign starts tomorrow", group: "campaigns", readers: either },
  campaign_paused: { label: "The other side paused a campaign", group: "campaigns", readers: either },
  campaign_resumed: { label: "The other side resumed a campaign", group: "campaigns", readers: either },
  campaign_completed: { label: "A campaign is completed, with a summary", group: "campaigns", readers: either },
  budget_nearly_used: { label: "A campaign has spent 80% of its budget", group: "campaigns", readers: advertiser },
  budget_used_up: { label: "A campaign has spent its whole budget", group: "campaigns", readers: advertiser },
  audience_imported: { label: "A file of people is imported", group: "audiences", readers: publisher },
  audience_import_failed: { label: "A file of people was not imported", group: "audiences", readers: publisher },
  audience_below_minimum: { label: "An audience has too few people", group: "audiences", readers: publisher },
  audience_refresh_failed: { label: "An audience could not be refreshed", group: "audiences", readers: publisher },
  wallet_low: { label: "The wallet is running low", group: "money", readers: advertiser },
  wallet_empty: { label: "Campaigns wait for funds", group: "money", readers: advertiser },
};

/** Whether one can do without mails of it. */
export function isOptional(event: NotificationEvent): boolean {
  return mailKinds[event].group !== null;
}

/** What an account of this type may be told by mail, in the order of the list. */
export function mailsFor(reader: AccountType): NotificationEvent[] {
  return notificationEvents.filter((event) => mailKinds[event].readers.includes(reader));
}

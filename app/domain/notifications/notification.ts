import type { PlanType } from "../billing/plan.ts";
import type { CalendarDate } from "../calendar-date.ts";
import type { RejectionReason } from "../campaigns/campaign.ts";
import type { AccountId, AudienceId, CampaignId, NotificationId, SavedViewId } from "../ids.ts";

/** The events, facts and states of notifications. Pure. */
export const notificationEvents = [
  "account_registered",
  "account_approved",
  "account_suspended",
  "account_closing",
  "campaign_submitted",
  "decision_needed",
  "campaign_approved",
  "campaign_rejected",
  "managed_campaign_created",
  "campaign_paused",
  "campaign_resumed",
  "campaign_completed",
  "spend_refunded",
  "balance_negative",
  "payout_paid",
  "payout_failed",
  "invoice_issued",
  "campaign_decided",
  "decision_reminder",
  "campaign_starts_tomorrow",
  "budget_nearly_used",
  "budget_used_up",
  "wallet_low",
  "wallet_empty",
  "audience_imported",
  "audience_below_minimum",
  "audience_import_failed",
  "audience_refresh_failed",
  "new_sign_in",
  "webhook_disabled",
  "subscription_changed",
  "subscription_payment_failed",
  "subscription_ended",
  "payment_reversed",
  "payment_reinstated",
  "report_ready",
  "email_confirmation",
] as const;
export type NotificationEvent = (typeof notificationEvents)[number];

/** A canceled plan whose payment was reversed ends after a week; an operator ends a past-due plan at once. */
export type PlanEnding = "reversal" | "operator";

/** The facts that a notification is written from, as of the event. */
export type NotificationFacts = {
  /** The name of the notified account. */
  company: string;
  campaign?: string;
  advertiser?: string;
  publisher?: string;
  /** The notes of a publisher's decision. */
  notes?: string;
  /** The reasons that a publisher selected when it rejected a version. */
  rejectionReasons?: readonly RejectionReason[];
  /** Whether the publisher reviews a change of a version that it approved. */
  isChange?: boolean;
  /** Whether a publisher changed a campaign that it manages. */
  isManagedChange?: boolean;
  /** US dollars. */
  amount?: number;
  /** The publisher's share of refunded spend, in US dollars; only for the publisher. */
  earnings?: number;
  /** Whether the payment was reversed by a dispute. */
  isDispute?: boolean;
  /** The number of an invoice. */
  invoice?: string;
  /** Why something failed. */
  reason?: string;
  /** Whether a person's erasure closes the account. */
  closesAccount?: boolean;
  /** Whether the new account awaits approval. */
  isWaiting?: boolean;
  /** How many publishers reviewed it, and how many approved it. */
  asked?: number;
  approved?: number;
  /** The delivery totals; spend is in US dollars. */
  impressions?: number;
  clicks?: number;
  spend?: number;
  /** US dollars. */
  budget?: number;
  /** The day on which the flight begins, the funds run out, or an invoice is due. */
  day?: CalendarDate;
  audience?: string;
  audienceId?: AudienceId;
  people?: number;
  /** The rows that were left out of an audience because the person opted out. */
  optedOut?: number;
  /** The browser of a sign-in in words, and its time (ISO 8601). */
  device?: string;
  at?: string;
  plan?: PlanType;
  /** Whether a plan was paid from the publisher's earnings. */
  isPaidFromEarnings?: boolean;
  /** Whether the publisher canceled the plan, which is then not charged automatically. */
  isPlanCanceled?: boolean;
  /** Why a plan ended that was neither unpaid after its retries nor at the end of its period. */
  endedBy?: PlanEnding;
  /** The host of a webhook's URL. */
  host?: string;
  /** The name of a report, its ID, the analytics query with its dates, and the dates. */
  report?: string;
  reportId?: SavedViewId;
  query?: string;
  firstDay?: CalendarDate;
  lastDay?: CalendarDate;
  /** Whether the last day was not over when the report was due. */
  isIncomplete?: boolean;
  /** Whether the report is one of test mode, where its pages are. */
  isTestMode?: boolean;
};

/** A notification of an account. The event key makes it unique. */
export type AccountNotification = {
  id: NotificationId;
  accountId: AccountId;
  event: NotificationEvent;
  eventKey: string;
  campaignId: CampaignId | null;
  /** The row that the notification is about: a line item, a payout, an upload, an account. */
  subjectId: string;
  facts: NotificationFacts;
};

/**
 * A mail waits to be sent, waits for the digest, or is part of a digest; it is being sent, was sent, was kept (no mail
 * is sent to the recipient), or is parked until an operator retries it.
 */
export const mailStates = [
  "waiting",
  "awaiting_digest",
  "in_digest",
  "sending",
  "sent",
  "suppressed",
  "failed",
] as const;
export type MailState = (typeof mailStates)[number];

/**
 * The text of a notification. `path` is the page in the account's portal, `action` the label of its link. Names are as
 * users entered them: plain text, never markup.
 */
export type NotificationCopy = {
  title: string;
  lines: readonly string[];
  quote?: string;
  /** `note` is shown smaller, below the value. */
  figures?: readonly { label: string; value: string; note?: string | undefined }[];
  action: string;
  path: `/${string}`;
  /** Another link, below the first. */
  more?: { action: string; path: `/${string}` };
};

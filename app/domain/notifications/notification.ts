import type { PlanType } from "../billing/plan.ts";
import type { CalendarDate } from "../calendar-date.ts";
import type { AccountId, AudienceId, CampaignId, NotificationId } from "../ids.ts";

/** The vocabulary of what an account is told. Pure. */
export const notificationEvents = [
  "account_registered",
  "account_approved",
  "account_suspended",
  "campaign_submitted",
  "decision_needed",
  "campaign_approved",
  "campaign_rejected",
  "managed_campaign_created",
  "campaign_paused",
  "campaign_resumed",
  "campaign_completed",
  "spend_refunded",
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
  "payment_taken_back",
  "payment_reinstated",
] as const;
export type NotificationEvent = (typeof notificationEvents)[number];

/** Names and words that a notice is made of, as they were when it happened. */
export type NotificationFacts = {
  /** The account that is told. */
  company: string;
  campaign?: string;
  advertiser?: string;
  publisher?: string;
  /** What a publisher said with its decision. */
  notes?: string;
  /** A publisher decides on a change of what it approved. */
  isChange?: boolean;
  /** US dollars. */
  amount?: number;
  /** A bank took it, in a dispute of its customer's. */
  isDispute?: boolean;
  /** The number of an invoice. */
  invoice?: string;
  /** Why something failed. */
  reason?: string;
  /** A new account waits to be let in. */
  isWaiting?: boolean;
  /** How many publishers were asked, and how many of them said yes. */
  asked?: number;
  approved?: number;
  /** What was delivered; the spend in US dollars. */
  impressions?: number;
  clicks?: number;
  spend?: number;
  /** US dollars. */
  budget?: number;
  /** When the flight begins, the money ends, or an invoice is due. */
  day?: CalendarDate;
  audience?: string;
  audienceId?: AudienceId;
  people?: number;
  /** The browser that somebody signed in with, in words, and when (ISO 8601). */
  device?: string;
  at?: string;
  plan?: PlanType;
  /** Where a webhook leads. */
  host?: string;
};

/** Something that an account is told, once: its event key says of what it is. */
export type Notice = {
  id: NotificationId;
  accountId: AccountId;
  event: NotificationEvent;
  eventKey: string;
  campaignId: CampaignId | null;
  /** The row that it is about: a campaign's line item, a payout, an upload, an account. */
  subjectId: string;
  facts: NotificationFacts;
};

/**
 * A mail waits to be sent, or to be gathered into the daily mail, or is carried by that; it is being sent, was sent, was kept
 * (nothing is sent to it) or is parked until an operator sends it again.
 */
export const mailStates = ["waiting", "gathering", "gathered", "sending", "sent", "kept", "parked"] as const;
export type MailState = (typeof mailStates)[number];

/**
 * A notice in words. `path` is the place in the account's portal that it is about, `action` what the link to it says. Names are as
 * somebody typed them: text, never markup.
 */
export type NoticeWords = {
  title: string;
  lines: readonly string[];
  quote?: string;
  figures?: readonly { label: string; value: string }[];
  action: string;
  path: `/${string}`;
};

import type { AccountType } from "../accounts/account.ts";
import { appName } from "../branding.ts";
import { describeAccountEvent } from "./account-copy.ts";
import { describeAudienceEvent } from "./audience-copy.ts";
import { describeBudgetEvent } from "./budget-copy.ts";
import { describeCampaignEvent } from "./campaign-copy.ts";
import type { AccountNotification, NotificationCopy } from "./notification.ts";
import { describePaymentEvent } from "./payment-copy.ts";
import { describePlanEvent } from "./plan-copy.ts";
import { describeReport } from "./report-copy.ts";
import { describeReversal } from "./reversal-copy.ts";
import { describeSignIn } from "./sign-in-copy.ts";

/**
 * Describes a notification to the account, for mails and pages. Times are in `zone`. An event of a newer version, which
 * serves the same database during an upgrade, gets a text without details. Pure.
 */
export function describeNotification(
  notification: Pick<AccountNotification, "event" | "campaignId" | "subjectId" | "facts">,
  reader: AccountType,
  zone = "UTC",
): NotificationCopy {
  const { event, campaignId, subjectId, facts } = notification;
  switch (event) {
    case "account_registered":
    case "account_approved":
    case "account_suspended":
    case "account_closing":
    case "email_confirmation":
      return describeAccountEvent({ event, facts }, reader);
    case "campaign_submitted":
    case "decision_needed":
    case "decision_reminder":
    case "campaign_decided":
    case "campaign_approved":
    case "campaign_rejected":
    case "managed_campaign_created":
    case "campaign_paused":
    case "campaign_resumed":
    case "campaign_completed":
    case "campaign_starts_tomorrow":
      return describeCampaignEvent({ event, campaignId, facts }, reader);
    case "spend_refunded":
    case "balance_negative":
    case "payout_paid":
    case "payout_failed":
    case "invoice_issued":
      return describePaymentEvent({ event, subjectId, facts }, reader);
    case "budget_nearly_used":
    case "budget_used_up":
    case "wallet_low":
    case "wallet_empty":
      return describeBudgetEvent({ event, campaignId, facts });
    case "audience_imported":
    case "audience_below_minimum":
    case "audience_import_failed":
    case "audience_refresh_failed":
      return describeAudienceEvent({ event, subjectId, facts });
    case "new_sign_in":
      return describeSignIn(facts, zone);
    case "subscription_changed":
    case "subscription_payment_failed":
    case "subscription_ended":
      return describePlanEvent({ event, facts }, zone);
    case "payment_reversed":
    case "payment_reinstated":
      return describeReversal({ event, facts }, reader);
    case "report_ready":
      return describeReport(facts);
    case "webhook_disabled":
      return {
        title: `The webhook for ${facts.host ?? "your server"} was disabled`,
        lines: [
          "Three events in a row failed after a day of retries. Fix your endpoint and enable the webhook. You can then resend the failed events.",
          "Until then, we don't send events to it, and you can't resend those that happen meanwhile.",
        ],
        action: "View webhook",
        path: `/webhooks/${subjectId}`,
      };
    default:
      return describeUnknown(event);
  }
}

/** Describes an event of a newer version, whose servers are replacing this one. */
function describeUnknown(_event: never): NotificationCopy {
  return {
    title: "New notification",
    lines: [`${appName} is being updated. The details appear here in a few minutes.`],
    action: "View notifications",
    path: "/notifications",
  };
}

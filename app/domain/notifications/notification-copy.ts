import type { AccountType } from "../accounts/account.ts";
import { appName } from "../branding.ts";
import { formatDate, parseCalendarDate } from "../calendar-date.ts";
import { asCents, formatCents } from "../money.ts";
import { describeAudienceEvent } from "./audience-copy.ts";
import { describeBudgetEvent } from "./budget-copy.ts";
import type { AccountNotification, NotificationCopy, NotificationFacts } from "./notification.ts";
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
  const campaign = `“${facts.campaign ?? "A campaign"}”`;
  const otherName =
    (reader === "advertiser" ? facts.publisher : facts.advertiser) ??
    "The publisher / The advertiser (by the reader's side)";
  const page = {
    action: "View campaign",
    path: campaignId ? (`/campaigns/${campaignId}` as const) : "/campaigns",
  } as const;
  const home = { action: "Go to dashboard", path: "/dashboard" } as const;
  const where = reader === "advertiser" ? " on this publisher's audiences" : "";
  switch (event) {
    case "account_registered":
      return { title: `Welcome to ${appName}`, lines: welcomeLines(facts, reader), ...home };
    case "account_approved":
      return {
        title: "Your account has been approved",
        lines: [`${facts.company} now has full access to the portal.`],
        ...home,
      };
    case "account_suspended":
      return {
        title: "Your account has been suspended",
        lines: [
          `${facts.company} no longer has access to the portal. If you think this is a mistake, contact support.`,
        ],
        ...home,
      };
    case "campaign_submitted":
      return {
        title: `${campaign} was submitted for review`,
        lines: [
          "Each publisher reviews the campaign for its own audiences. Campaigns are typically approved within 24 hours. We notify you of every decision.",
        ],
        ...page,
      };
    case "decision_needed":
      return {
        title: facts.isChange ? `${otherName} changed ${campaign}` : `${otherName} sent ${campaign} for review`,
        lines: [
          facts.isChange
            ? "The approved version keeps running until you decide. Review the changes, then approve or reject them."
            : "This campaign would run on your audiences. Review it, then approve or reject it.",
        ],
        action: "Review campaign",
        path: campaignId ? `/approval/${campaignId}` : "/approval",
      };
    case "decision_reminder":
      return {
        title: facts.isChange ? `Reminder: review the changes to ${campaign}` : `Reminder: review ${campaign}`,
        lines: [
          `${otherName} has been waiting for more than 24 hours. Review the campaign, then approve or reject it.`,
        ],
        action: "Review campaign",
        path: campaignId ? `/approval/${campaignId}` : "/approval",
      };
    case "campaign_decided":
      return { title: `All publishers reviewed ${campaign}`, lines: [decisionSummary(facts)], ...page };
    case "campaign_approved":
      if (facts.isManagedChange) {
        return {
          title: `${otherName} changed ${campaign}, which it manages for you`,
          lines: [
            "The new version runs now. See what changed in the campaign's history. You can pause it at any time.",
          ],
          ...page,
        };
      }
      return {
        title: `${otherName} approved ${campaign}`,
        lines: ["The campaign can run on this publisher's audiences."],
        quote: facts.notes,
        ...page,
      };
    case "campaign_rejected":
      return {
        title: `${otherName} rejected ${campaign}`,
        lines: ["The campaign won't run on this publisher's audiences. Edit it and send it for review again."],
        quote: facts.notes,
        ...page,
      };
    case "managed_campaign_created":
      return {
        title: `${otherName} created ${campaign} for you`,
        lines: [
          "Your settings allow publishers to create campaigns for you. This campaign belongs to you, and you can pause it at any time.",
        ],
        ...page,
      };
    case "campaign_paused":
      return {
        title: `${otherName} paused ${campaign}`,
        lines: [`The campaign is paused${where} until it is resumed.`],
        ...page,
      };
    case "campaign_resumed":
      return {
        title: `${otherName} resumed ${campaign}`,
        lines: [`The campaign is running again${where}, within its flight and budget.`],
        ...page,
      };
    case "campaign_completed":
      return {
        title: `${campaign} has ended`,
        lines: ["Its end date has passed or its budget is spent. Results for the last days may still change."],
        figures: deliveryFigures(facts, reader),
        ...page,
      };
    case "campaign_starts_tomorrow":
      return {
        title: `${campaign} starts tomorrow`,
        lines: [
          reader === "advertiser"
            ? `Delivery starts on ${formatDay(facts) ?? "its first day"} (UTC) with the approved version.`
            : `Delivery on your audiences starts on ${formatDay(facts) ?? "its first day"} (UTC).`,
        ],
        ...page,
      };
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
    case "email_confirmation":
      return {
        title: "Confirm your email address",
        lines: [
          "Emails to this address came back or were marked as spam, so we stopped sending them. Confirm that you received this one, and we'll send them again.",
          "If you didn't ask for this, you can ignore it.",
        ],
        action: "Confirm email address",
        path: "/profile/confirm-email",
      };
    case "account_closing":
      return {
        title: facts.closesAccount
          ? `Your account for ${facts.company} will be closed on ${formatDay(facts) ?? "the day shown in your profile"}`
          : `Personal data will be erased on ${formatDay(facts) ?? "the day shown in the profile"}`,
        lines: [
          facts.closesAccount
            ? "Someone asked for this in your profile, or we did at your request. On that day (UTC) your sign-in, audiences, catalog and connections are deleted, which can't be undone."
            : "A person of your account asked for this, or we did at their request. The account itself stays.",
          "If this is not what you want, cancel it in your profile before that day.",
        ],
        action: "View request",
        path: "/profile/close",
      };
    case "spend_refunded":
      return {
        title: `${formatAmount(facts)} of spend was refunded`,
        lines: [`This is a refund of spend on ${campaign}. We applied it to what you owed or added it to your wallet.`],
        action: "View billing",
        path: "/billing?tab=spend",
      };
    case "payout_paid":
      return {
        title: `Your payout of ${formatAmount(facts)} arrived`,
        lines: ["See every line item in the statement."],
        action: "View statement",
        path: `/revenue/payouts/${subjectId}`,
      };
    case "invoice_issued":
      return {
        title: `Invoice ${facts.invoice ?? "An invoice"} for ${formatAmount(facts)}`,
        lines: [
          `Payment is due on ${formatDay(facts) ?? "the due date on the invoice"}. The invoice lists the spend of each campaign.`,
        ],
        action: "View invoice",
        path: `/billing/invoices/${subjectId}`,
      };
    case "payout_failed":
      return {
        title: `Your payout of ${formatAmount(facts)} failed`,
        lines: ["The amount is back in your balance. Check your bank account details, then request the payout again."],
        quote: facts.reason,
        action: "View revenue",
        path: "/revenue",
      };
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
          "Three events in a row failed after a day of retries. Fix your endpoint and enable the webhook. You can resend the failed events.",
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

function welcomeLines({ company, isWaiting }: NotificationFacts, reader: AccountType): string[] {
  const what =
    reader === "advertiser"
      ? "Launch campaigns with audiences from retailers, and see the return on every dollar."
      : "Upload your audiences, approve the campaigns that use them, and earn a share of the spend.";
  return [
    `${company} is registered. ${what}`,
    ...(isWaiting ? ["We review every new account. You'll get an email when yours is approved."] : []),
  ];
}

function decisionSummary({ asked = 0, approved = 0 }: NotificationFacts): string {
  if (approved === 0) {
    return `None of the ${asked} publishers approved it. Edit the campaign and send it for review again.`;
  }
  if (approved === asked) return `All ${asked} publishers approved it. The campaign can run on all selected audiences.`;
  return `${approved} of ${asked} publishers approved it. The campaign can run on their audiences.`;
}

function deliveryFigures(
  { impressions, clicks, spend }: NotificationFacts,
  reader: AccountType,
): NotificationCopy["figures"] {
  if (impressions === undefined || clicks === undefined || spend === undefined) return undefined;
  return [
    { label: "Impressions", value: impressions.toLocaleString("en-US") },
    { label: "Clicks", value: clicks.toLocaleString("en-US") },
    { label: reader === "advertiser" ? "Spend" : "Spend on your audiences", value: formatAmount({ amount: spend }) },
  ];
}

function formatAmount({ amount = 0 }: Pick<NotificationFacts, "amount">): string {
  return formatCents(asCents(Math.round(amount * 100)));
}

function formatDay({ day }: NotificationFacts): string | undefined {
  const known = day && parseCalendarDate(day);
  return known ? formatDate(known) : undefined;
}

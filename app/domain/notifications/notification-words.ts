import type { AccountType } from "../accounts/account.ts";
import { formatDate, parseCalendarDate } from "../calendar-date.ts";
import { formatCents, toCents } from "../money.ts";
import { productName } from "../product.ts";
import { wordsOfAudience } from "./audience-words.ts";
import { wordsOfBudget } from "./budget-words.ts";
import type { Notice, NoticeWords, NotificationFacts } from "./notification.ts";
import { wordsOfPlan } from "./plan-words.ts";
import { wordsOfSignIn } from "./sign-in-words.ts";
import { wordsOfTakenBack } from "./taken-back-words.ts";

/** What the account reads of it, in a mail and on its pages. Times are said in `zone`. Pure. */
export function wordsOf(
  notice: Pick<Notice, "event" | "campaignId" | "subjectId" | "facts">,
  reader: AccountType,
  zone = "UTC",
): NoticeWords {
  const { event, campaignId, subjectId, facts } = notice;
  const campaign = `“${facts.campaign ?? "A campaign"}”`;
  const other = (reader === "advertiser" ? facts.publisher : facts.advertiser) ?? "The other side";
  const page = {
    action: "View campaign",
    path: campaignId ? (`/campaigns/${campaignId}` as const) : "/campaigns",
  } as const;
  const home = { action: "Go to dashboard", path: "/dashboard" } as const;
  const where = reader === "advertiser" ? " on this publisher's audiences" : "";
  switch (event) {
    case "account_registered":
      return { title: `Welcome to ${productName}`, lines: welcome(facts, reader), ...home };
    case "account_approved":
      return {
        title: "Your account is approved",
        lines: [`${facts.company} can use all of the portal from now on.`],
        ...home,
      };
    case "account_suspended":
      return {
        title: "Your account is suspended",
        lines: [
          `${facts.company} cannot use the portal for now. Ask whoever you deal with at ${productName} if you think that is a mistake.`,
        ],
        ...home,
      };
    case "campaign_submitted":
      return {
        title: `${campaign} is submitted`,
        lines: [
          "Each publisher whose audience you chose decides for itself. Campaigns are typically approved within 24 hours, and you hear of every decision.",
        ],
        ...page,
      };
    case "decision_needed":
      return {
        title: facts.isChange ? `${other} changed ${campaign}` : `${other} wants to run ${campaign}`,
        lines: [
          facts.isChange
            ? "What you approved goes on until you decide. Look at what would be different, then approve or reject it."
            : "It would run on your audiences. Look at it, then approve or reject it.",
        ],
        action: "Review campaign",
        path: campaignId ? `/approval/${campaignId}` : "/approval",
      };
    case "decision_reminder":
      return {
        title: facts.isChange ? `${other}’s change of ${campaign} waits for you` : `${campaign} still waits for you`,
        lines: [`${other} has waited for your decision for more than 24 hours. Look at it, then approve or reject it.`],
        action: "Review campaign",
        path: campaignId ? `/approval/${campaignId}` : "/approval",
      };
    case "campaign_decided":
      return { title: `All publishers decided on ${campaign}`, lines: [decided(facts)], ...page };
    case "campaign_approved":
      return {
        title: `${other} approved ${campaign}`,
        lines: ["It can run on this publisher's audiences."],
        quote: facts.notes,
        ...page,
      };
    case "campaign_rejected":
      return {
        title: `${other} rejected ${campaign}`,
        lines: ["It does not run on this publisher's audiences. You can change the campaign and send it again."],
        quote: facts.notes,
        ...page,
      };
    case "managed_campaign_created":
      return {
        title: `${other} created ${campaign} for you`,
        lines: ["You allow publishers to create campaigns for you. It is yours: you can pause it at any time."],
        ...page,
      };
    case "campaign_paused":
      return {
        title: `${other} paused ${campaign}`,
        lines: [`It does not deliver${where} until it is resumed.`],
        ...page,
      };
    case "campaign_resumed":
      return {
        title: `${other} resumed ${campaign}`,
        lines: [`It delivers${where} again, within its flight and budget.`],
        ...page,
      };
    case "campaign_completed":
      return {
        title: `${campaign} is completed`,
        lines: ["Its flight is over or its budget is used up. Figures of the last days may still come in."],
        figures: delivered(facts, reader),
        ...page,
      };
    case "campaign_starts_tomorrow":
      return {
        title: `${campaign} starts tomorrow`,
        lines: [
          reader === "advertiser"
            ? `It begins to deliver on ${dayOf(facts) ?? "its first day"} (UTC) with what the publishers approved.`
            : `It begins to deliver on your audiences on ${dayOf(facts) ?? "its first day"} (UTC).`,
        ],
        ...page,
      };
    case "budget_nearly_used":
    case "budget_used_up":
    case "wallet_low":
    case "wallet_empty":
      return wordsOfBudget({ event, campaignId, facts });
    case "audience_imported":
    case "audience_below_minimum":
    case "audience_import_failed":
    case "audience_refresh_failed":
      return wordsOfAudience({ event, subjectId, facts });
    case "new_sign_in":
      return wordsOfSignIn(facts, zone);
    case "spend_refunded":
      return {
        title: `${amountOf(facts)} is given back to you`,
        lines: [`It was spent on ${campaign}. What you owed is less by it, or it is in your wallet.`],
        action: "View billing",
        path: "/billing?tab=spend",
      };
    case "payout_paid":
      return {
        title: `Your payout of ${amountOf(facts)} arrived`,
        lines: ["The statement lists every line that is in it."],
        action: "View statement",
        path: `/revenue/payouts/${subjectId}`,
      };
    case "invoice_issued":
      return {
        title: `${facts.invoice ?? "An invoice"} of ${amountOf(facts)} is issued`,
        lines: [`It is due on ${dayOf(facts) ?? "the day it says"}, and lists what each campaign spent.`],
        action: "View invoice",
        path: `/billing/invoices/${subjectId}`,
      };
    case "payout_failed":
      return {
        title: `Your payout of ${amountOf(facts)} failed`,
        lines: [
          "Nothing is lost: the money is in your balance again. Look at the account that it goes to, then ask again.",
        ],
        quote: facts.reason,
        action: "View revenue",
        path: "/revenue",
      };
    case "subscription_changed":
    case "subscription_payment_failed":
    case "subscription_ended":
      return wordsOfPlan({ event, facts }, zone);
    case "payment_taken_back":
    case "payment_reinstated":
      return wordsOfTakenBack({ event, facts }, reader);
    case "webhook_disabled":
      return {
        title: `The webhook to ${facts.host ?? "your server"} is switched off`,
        lines: [
          "It did not take three events in a row, each tried for a day. Nothing is sent to it until you switch it on again; what was not delivered can be sent again by hand.",
        ],
        action: "View webhook",
        path: `/webhooks/${subjectId}`,
      };
  }
}

function welcome({ company, isWaiting }: NotificationFacts, reader: AccountType): string[] {
  const what =
    reader === "advertiser"
      ? "Launch campaigns with audiences that retailers supply, and see what every dollar does."
      : "Upload your audiences, decide which campaigns run on them, and earn your share of what is spent.";
  return [
    `${company} is registered. ${what}`,
    ...(isWaiting ? ["We look at every new account. You hear from us as soon as yours is approved."] : []),
  ];
}

function decided({ asked = 0, approved = 0 }: NotificationFacts): string {
  if (approved === 0) {
    return `None of the ${asked} that you asked approved it. You can change the campaign and send it again.`;
  }
  if (approved === asked) return `All ${asked} approved it: it can run on everybody's audiences.`;
  return `${approved} of ${asked} approved it: it can run on their audiences.`;
}

function delivered({ impressions, clicks, spend }: NotificationFacts, reader: AccountType): NoticeWords["figures"] {
  if (impressions === undefined || clicks === undefined || spend === undefined) return undefined;
  return [
    { label: "Impressions", value: impressions.toLocaleString("en-US") },
    { label: "Clicks", value: clicks.toLocaleString("en-US") },
    { label: reader === "advertiser" ? "Spend" : "Spend on your audiences", value: amountOf({ amount: spend }) },
  ];
}

function amountOf({ amount = 0 }: Pick<NotificationFacts, "amount">): string {
  return formatCents(toCents(Math.round(amount * 100)));
}

function dayOf({ day }: NotificationFacts): string | undefined {
  const known = day && parseCalendarDate(day);
  return known ? formatDate(known) : undefined;
}

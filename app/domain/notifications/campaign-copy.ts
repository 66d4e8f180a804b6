import type { AccountType } from "../accounts/account.ts";
import { describeRejectionReasons } from "../campaigns/status/campaign-rejection.ts";
import { formatDay, formatDollars } from "./copy-formats.ts";
import type { AccountNotification, NotificationCopy, NotificationFacts } from "./notification.ts";

type CampaignEvent =
  | "campaign_submitted"
  | "decision_needed"
  | "decision_reminder"
  | "campaign_decided"
  | "campaign_approved"
  | "campaign_rejected"
  | "managed_campaign_created"
  | "campaign_paused"
  | "campaign_resumed"
  | "campaign_completed"
  | "campaign_starts_tomorrow";

/** Describes what happened to a campaign to its advertiser or to a publisher of it. Pure. */
export function describeCampaignEvent(
  { event, campaignId, facts }: Pick<AccountNotification, "campaignId" | "facts"> & { event: CampaignEvent },
  reader: AccountType,
): NotificationCopy {
  const campaign = `“${facts.campaign ?? "A campaign"}”`;
  const otherName =
    reader === "advertiser" ? (facts.publisher ?? "The publisher") : (facts.advertiser ?? "The advertiser");
  const page = {
    action: "View campaign",
    path: campaignId ? (`/campaigns/${campaignId}` as const) : "/campaigns",
  } as const;
  const review = {
    action: "Review campaign",
    path: campaignId ? (`/approval/${campaignId}` as const) : "/approval",
  } as const;
  const where = reader === "advertiser" ? " on this publisher's audiences" : "";
  switch (event) {
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
        ...review,
      };
    case "decision_reminder":
      return {
        title: facts.isChange ? `Reminder: review the changes to ${campaign}` : `Reminder: review ${campaign}`,
        lines: [
          `${otherName} has been waiting for more than 24 hours. Review the campaign, then approve or reject it.`,
        ],
        ...review,
      };
    case "campaign_decided":
      return { title: `All publishers reviewed ${campaign}`, lines: [decisionSummary(facts)], ...page };
    case "campaign_approved":
      if (facts.isManagedChange) {
        return {
          title: `${otherName} changed ${campaign}, which it manages for you`,
          lines: [
            "The new version runs now, within its flight and budget. See what changed in the campaign's history. You can pause the campaign while it runs.",
          ],
          ...page,
        };
      }
      return {
        title: `${otherName} approved ${campaign}`,
        lines: ["The campaign can run on this publisher's audiences, within its flight and budget."],
        quote: facts.notes,
        ...page,
      };
    case "campaign_rejected":
      return {
        title: facts.isChange
          ? `${otherName} rejected your changes to ${campaign}`
          : `${otherName} rejected ${campaign}`,
        lines: [
          ...(facts.rejectionReasons ? [`Reasons: ${describeRejectionReasons(facts.rejectionReasons)}.`] : []),
          facts.isChange
            ? "The approved version keeps running on this publisher's audiences. Edit the campaign and send it for review again."
            : "The campaign won't run on this publisher's audiences. Edit it and send it for review again.",
        ],
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
    // With the date, because a daily summary may be read on the day itself.
    case "campaign_starts_tomorrow":
      return {
        title: `${campaign} starts on ${formatDay(facts) ?? "its first day"}`,
        lines: [
          reader === "advertiser"
            ? "Delivery starts on that day (UTC) with the approved version."
            : "Delivery on your audiences starts on that day (UTC).",
        ],
        ...page,
      };
  }
}

function decisionSummary({ asked = 0, approved = 0 }: NotificationFacts): string {
  if (approved === 0) {
    return `None of the ${asked} publishers approved it. Edit the campaign and send it for review again.`;
  }
  if (approved === asked)
    return `All ${asked} publishers approved it. The campaign can run on all selected audiences, within its flight and budget.`;
  return `${approved} of ${asked} publishers approved it. The campaign can run on their audiences, within its flight and budget.`;
}

function deliveryFigures(
  { impressions, clicks, spend }: NotificationFacts,
  reader: AccountType,
): NotificationCopy["figures"] {
  if (impressions === undefined || clicks === undefined || spend === undefined) return undefined;
  return [
    { label: "Impressions", value: impressions.toLocaleString("en-US") },
    { label: "Clicks", value: clicks.toLocaleString("en-US") },
    { label: reader === "advertiser" ? "Spend" : "Spend on your audiences", value: formatDollars(spend) },
  ];
}

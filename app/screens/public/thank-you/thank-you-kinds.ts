import type { AccountType } from "#app/domain/accounts/account.ts";

/** `/campaigns/:id` is the screen's campaign, or the list if the URL names none. */
type Page =
  | "/campaigns/:id"
  | "/campaigns"
  | "/dashboard"
  | "/profile"
  | "/billing"
  | "/analytics"
  | "/audiences"
  | "/revenue";
type Destination = { label: string; page: Page };

export type ThankYou = {
  title: string;
  subtitle: string;
  description: string;
  /** The first one is where the page redirects automatically. */
  actions: readonly [Destination, ...Destination[]];
  /** The portal for a visitor without a session. */
  portal?: AccountType;
  /** The label of the link to the audience that the URL names, if any. */
  audienceLink?: string;
};

/** The five confirmation screens. */
export const thankYouKinds = new Map<string, ThankYou>([
  [
    "campaign-created",
    {
      title: "Campaign Created",
      subtitle: "Your campaign has been submitted for review.",
      description:
        "Campaigns are typically approved within 24 hours. You will receive an email notification on approval.",
      actions: [
        { label: "View Campaign", page: "/campaigns/:id" },
        { label: "Back to Dashboard", page: "/dashboard" },
      ],
      portal: "advertiser",
    },
  ],
  [
    "registration",
    {
      title: "Registration Complete",
      subtitle: "Your account has been created.",
      description: "Complete your profile now, or go to your dashboard and look around.",
      actions: [
        { label: "Complete Profile", page: "/profile" },
        { label: "Go to Dashboard", page: "/dashboard" },
      ],
    },
  ],
  [
    "subscription",
    {
      title: "Subscription Activated",
      subtitle: "Your new plan is active now.",
      description: "You can use everything it includes right away. Find your receipts in Billing.",
      actions: [
        { label: "View Billing", page: "/billing" },
        { label: "Back to Dashboard", page: "/dashboard" },
      ],
      portal: "publisher",
    },
  ],
  [
    "campaign-approved",
    {
      title: "Campaign Approved",
      subtitle: "We've notified the advertiser. The campaign can run on your audiences.",
      description:
        "You earn your share of every dollar spent on them. You can pause the campaign on your audiences at any time.",
      actions: [
        { label: "View Analytics", page: "/analytics" },
        { label: "Manage Campaigns", page: "/campaigns" },
      ],
      portal: "publisher",
    },
  ],
  [
    "audience-uploaded",
    {
      title: "Audience Uploaded",
      subtitle: "Your audience is saved. Identifiers are hashed as they are uploaded.",
      description: "Advertisers can choose the audience as soon as it has 1,000 distinct records.",
      actions: [
        { label: "Manage Audiences", page: "/audiences" },
        { label: "View Revenue", page: "/revenue" },
      ],
      portal: "publisher",
      audienceLink: "View audience and upload report",
    },
  ],
]);

/** For an unknown kind. The screen does not redirect automatically. */
export const genericThankYou: ThankYou = {
  title: "Success",
  subtitle: "Your request was completed.",
  description: "There is nothing else to do.",
  actions: [{ label: "Continue", page: "/dashboard" }],
};

const availablePages: Record<AccountType, readonly string[]> = {
  advertiser: ["/dashboard", "/campaigns", "/analytics", "/billing", "/profile"],
  publisher: ["/dashboard", "/audiences", "/campaigns", "/analytics", "/billing", "/revenue", "/profile"],
};

/** Returns the page's path in that portal, or the dashboard's if the portal has no such page. */
export function portalPath(portal: AccountType, page: Page, campaign: string | undefined): `/${string}` {
  if (page === "/campaigns/:id") return campaign ? `/campaigns/${campaign}` : "/campaigns";
  return availablePages[portal].includes(page) ? page : "/dashboard";
}

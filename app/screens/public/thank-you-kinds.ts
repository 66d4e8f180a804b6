import type { AccountType } from "#app/domain/accounts/account.ts";

/** `/campaigns/:id` is the campaign that the screen is about, or the list when it is not said which. */
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
  /** The first is where the page goes by itself. */
  actions: readonly [Destination, ...Destination[]];
  /** Whose portal a visitor without a session means. */
  portal?: AccountType;
  /** The words of a link to the audience that the screen is about, when its address names one. */
  audienceLink?: string;
};

/** The five confirmation screens (specification, section 2). */
export const thankYouKinds = new Map<string, ThankYou>([
  [
    "campaign-created",
    {
      title: "Campaign Created",
      subtitle: "Your campaign has been submitted for review.",
      description:
        "Campaigns are typically approved within 24 hours. You will receive an e-mail notification on approval.",
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
      description: "Complete your profile now, or go straight to your dashboard and look around.",
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
      subtitle: "Your new plan is active from this moment.",
      description: "Its campaign limit and everything it includes are yours now. Receipts are in your billing.",
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
      subtitle: "The advertiser has been told, and the campaign can run on your audiences.",
      description: "You earn your share of every dollar that is spent on them. You can pause your part at any time.",
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
      subtitle: "Your audience is saved. Its identifiers are hashed as they arrive.",
      description: "Advertisers can choose the audience as soon as it has 1,000 distinct records.",
      actions: [
        { label: "Manage Audiences", page: "/audiences" },
        { label: "View Revenue", page: "/revenue" },
      ],
      portal: "publisher",
      audienceLink: "Open this audience and its upload report",
    },
  ],
]);

/** For a kind that does not exist. It stays where it is. */
export const anySuccess: ThankYou = {
  title: "Success",
  subtitle: "That worked.",
  description: "There is nothing more to do here.",
  actions: [{ label: "Continue", page: "/dashboard" }],
};

const builtPages: Record<AccountType, readonly string[]> = {
  advertiser: ["/dashboard", "/campaigns", "/analytics", "/billing", "/profile"],
  publisher: ["/dashboard", "/audiences", "/campaigns", "/analytics", "/billing", "/revenue", "/profile"],
};

/** The page's path in that portal; the dashboard's where the portal has no such page. */
export function portalPath(portal: AccountType, page: Page, campaign: string | undefined): `/${string}` {
  if (page === "/campaigns/:id") return campaign ? `/campaigns/${campaign}` : "/campaigns";
  return builtPages[portal].includes(page) ? page : "/dashboard";
}

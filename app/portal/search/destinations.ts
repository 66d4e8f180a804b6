import type { AccountType } from "#app/domain/accounts/account.ts";

/** A page or an action of a portal that the search finds by its label, or by a word that people use for it. */
type Destination = { path: `/${string}`; label: string; words?: string };

type Destinations = { pages: readonly Destination[]; actions: readonly Destination[] };

const sharedPages: readonly Destination[] = [
  { path: "/products", label: "Product Catalog", words: "skus inventory items" },
  { path: "/creatives", label: "Creatives", words: "images videos banners ads library" },
  { path: "/analytics", label: "Analytics", words: "performance metrics ctr roas" },
  { path: "/reports", label: "Reports", words: "scheduled saved email csv pdf analytics" },
];

const accountPages: readonly Destination[] = [
  { path: "/billing/statements", label: "Account statement", words: "monthly ledger pdf" },
  { path: "/notifications", label: "Notifications", words: "inbox messages" },
  { path: "/activity", label: "Activity", words: "history audit log changes" },
  { path: "/profile", label: "Profile", words: "company account settings api keys sessions" },
  { path: "/profile?section=mails", label: "Email settings", words: "notifications time zone digest" },
  { path: "/webhooks", label: "Webhooks", words: "integrations events api" },
  { path: "/api", label: "API", words: "reference documentation endpoints programs rest openapi keys" },
  { path: "/help", label: "Help", words: "support contact glossary documentation" },
  { path: "/help#shortcuts", label: "Keyboard shortcuts", words: "keys hotkeys" },
];

const catalogActions: readonly Destination[] = [
  { path: "/products/create", label: "Add product", words: "new create" },
  { path: "/products/upload", label: "Upload products", words: "import csv xlsx catalog" },
  { path: "/products/stores/connect", label: "Connect store", words: "shopify woocommerce" },
];

const destinations: Record<AccountType, Destinations> = {
  advertiser: {
    pages: [
      { path: "/dashboard", label: "Dashboard", words: "home overview" },
      { path: "/campaigns", label: "My Campaigns" },
      ...sharedPages,
      { path: "/billing", label: "Billing & Spend", words: "wallet balance payments transactions cards" },
      { path: "/billing/invoices", label: "Invoices" },
      ...accountPages,
    ],
    actions: [
      { path: "/campaigns/create", label: "Create campaign", words: "new launch" },
      { path: "/billing/top-up", label: "Top up", words: "add funds money wallet" },
      ...catalogActions,
    ],
  },
  publisher: {
    pages: [
      { path: "/dashboard", label: "Dashboard", words: "home overview" },
      { path: "/audiences", label: "Audiences", words: "upload segments customers lists" },
      { path: "/approval", label: "Campaign Approval", words: "review pending decisions" },
      { path: "/campaigns", label: "Manage Campaigns" },
      ...sharedPages,
      { path: "/billing", label: "Billing", words: "plan subscription earnings payments cards" },
      { path: "/revenue", label: "Revenue", words: "payouts earnings commission" },
      { path: "/revenue/account", label: "Payout account", words: "bank" },
      { path: "/audiences/connections", label: "Connections", words: "klaviyo hubspot salesforce integrations" },
      { path: "/audiences/erasure", label: "Erasure requests", words: "delete remove person privacy gdpr" },
      ...accountPages,
    ],
    actions: [
      { path: "/audiences/create", label: "Upload audience", words: "new create file" },
      { path: "/campaigns/create-for-advertiser", label: "Create campaign for advertiser", words: "new managed" },
      ...catalogActions,
    ],
  },
};

/** Returns the pages and actions whose label contains the text, or whose words begin with each of its words. Pure. */
export function findDestinations(portal: AccountType, q: string): Destinations {
  const text = q.trim().toLowerCase();
  const { pages, actions } = destinations[portal];
  const words = text.split(/\s+/);
  const matches = ({ label, words: known = "" }: Destination) => {
    const name = label.toLowerCase();
    const all = `${name} ${known}`.split(/\s+/);
    return name.includes(text) || words.every((word) => all.some((one) => one.startsWith(word)));
  };
  return { pages: pages.filter(matches), actions: actions.filter(matches) };
}

import type { AccountType } from "#app/domain/accounts/account.ts";
import { sidebarItems } from "#app/portal/sidebar.ts";

/** A shortcut: keys pressed one after the other, and the page that they open. */
type Shortcut = { keys: readonly string[]; label: string; path: `/${string}` };

/** The key that comes before a page's own. */
export const pageKey = "g";

const otherPages: readonly Shortcut[] = [
  { keys: [pageKey, "n"], label: "Notifications", path: "/notifications" },
  { keys: [pageKey, "s"], label: "Profile", path: "/profile" },
  { keys: [pageKey, "h"], label: "Help", path: "/help" },
];

const creation: Record<AccountType, readonly Shortcut[]> = {
  advertiser: [{ keys: ["c"], label: "Create campaign", path: "/campaigns/create" }],
  publisher: [],
};

/** The shortcuts of a portal that open a page. Pure. */
export function pageShortcuts(portal: AccountType): readonly Shortcut[] {
  const pages = sidebarItems[portal].map(({ key, label, path }) => ({ keys: [pageKey, key], label, path }));
  return [...creation[portal], ...pages, ...otherPages];
}

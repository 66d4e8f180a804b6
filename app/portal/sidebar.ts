import type { AccountType } from "#app/domain/accounts/account.ts";
import type { IconName } from "#app/ui/icon-names.ts";

/**
 * The sidebar of each portal. `key` opens a page after `g`; `count` names the number shown beside an item; `includes`
 * is the beginning of other pages that belong to it.
 */
export type SidebarItem = {
  path: `/${string}`;
  label: string;
  icon: IconName;
  key: string;
  count?: "pendingApprovals";
  includes?: `/${string}`;
};

export const sidebarItems: Record<AccountType, readonly SidebarItem[]> = {
  advertiser: [
    { path: "/dashboard", label: "Dashboard", icon: "layout-dashboard", key: "d" },
    { path: "/campaigns", label: "My Campaigns", icon: "megaphone", key: "c" },
    { path: "/products", label: "Product Catalog", icon: "package", key: "p" },
    { path: "/creatives", label: "Creatives", icon: "image", key: "r" },
    { path: "/analytics", label: "Analytics", icon: "chart-line", key: "a", includes: "/reports" },
    { path: "/billing", label: "Billing & Spend", icon: "credit-card", key: "b" },
  ],
  publisher: [
    { path: "/dashboard", label: "Dashboard", icon: "layout-dashboard", key: "d" },
    { path: "/audiences", label: "Upload Audiences", icon: "users", key: "u" },
    { path: "/approval", label: "Campaign Approval", icon: "clipboard-check", key: "v", count: "pendingApprovals" },
    { path: "/campaigns", label: "Manage Campaigns", icon: "megaphone", key: "c" },
    { path: "/products", label: "Product Catalog", icon: "package", key: "p" },
    { path: "/creatives", label: "Creatives", icon: "image", key: "r" },
    { path: "/analytics", label: "Analytics", icon: "chart-line", key: "a", includes: "/reports" },
    { path: "/billing", label: "Billing", icon: "credit-card", key: "b" },
    { path: "/revenue", label: "Revenue", icon: "hand-coins", key: "e" },
  ],
};

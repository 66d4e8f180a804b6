import {
  ChartLine,
  ClipboardCheck,
  CreditCard,
  HandCoins,
  Image,
  LayoutDashboard,
  type LucideIcon,
  Megaphone,
  Package,
  Users,
} from "lucide-react";
import type { AccountType } from "#app/domain/accounts/account.ts";

/**
 * The sidebar of each portal. `key` opens a page after `g`; `count` names the number shown beside an item; `includes` is the
 * beginning of other pages that belong to it.
 */
export type SidebarItem = {
  path: `/${string}`;
  label: string;
  icon: LucideIcon;
  key: string;
  count?: "pendingApprovals";
  includes?: `/${string}`;
};

export const sidebarItems: Record<AccountType, readonly SidebarItem[]> = {
  advertiser: [
    { path: "/dashboard", label: "Dashboard", icon: LayoutDashboard, key: "d" },
    { path: "/campaigns", label: "My Campaigns", icon: Megaphone, key: "c" },
    { path: "/products", label: "Product Catalog", icon: Package, key: "p" },
    { path: "/creatives", label: "Creatives", icon: Image, key: "r" },
    { path: "/analytics", label: "Analytics", icon: ChartLine, key: "a", includes: "/reports" },
    { path: "/billing", label: "Billing & Spend", icon: CreditCard, key: "b" },
  ],
  publisher: [
    { path: "/dashboard", label: "Dashboard", icon: LayoutDashboard, key: "d" },
    { path: "/audiences", label: "Upload Audiences", icon: Users, key: "u" },
    { path: "/approval", label: "Campaign Approval", icon: ClipboardCheck, key: "v", count: "pendingApprovals" },
    { path: "/campaigns", label: "Manage Campaigns", icon: Megaphone, key: "c" },
    { path: "/products", label: "Product Catalog", icon: Package, key: "p" },
    { path: "/creatives", label: "Creatives", icon: Image, key: "r" },
    { path: "/analytics", label: "Analytics", icon: ChartLine, key: "a", includes: "/reports" },
    { path: "/billing", label: "Billing", icon: CreditCard, key: "b" },
    { path: "/revenue", label: "Revenue", icon: HandCoins, key: "e" },
  ],
};

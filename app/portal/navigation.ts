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

/** The sidebar of each portal: only what is built. `count` names the figure shown beside it. */
export type NavigationItem = { path: `/${string}`; label: string; icon: LucideIcon; count?: "pendingApprovals" };

export const navigation: Record<AccountType, readonly NavigationItem[]> = {
  advertiser: [
    { path: "/dashboard", label: "Dashboard", icon: LayoutDashboard },
    { path: "/campaigns", label: "My Campaigns", icon: Megaphone },
    { path: "/products", label: "Product Catalog", icon: Package },
    { path: "/creatives", label: "Creatives", icon: Image },
    { path: "/analytics", label: "Analytics", icon: ChartLine },
    { path: "/billing", label: "Billing & Spend", icon: CreditCard },
  ],
  publisher: [
    { path: "/dashboard", label: "Dashboard", icon: LayoutDashboard },
    { path: "/audiences", label: "Upload Audiences", icon: Users },
    { path: "/approval", label: "Campaign Approval", icon: ClipboardCheck, count: "pendingApprovals" },
    { path: "/campaigns", label: "Manage Campaigns", icon: Megaphone },
    { path: "/products", label: "Product Catalog", icon: Package },
    { path: "/creatives", label: "Creatives", icon: Image },
    { path: "/analytics", label: "Analytics", icon: ChartLine },
    { path: "/billing", label: "Billing", icon: CreditCard },
    { path: "/revenue", label: "Revenue", icon: HandCoins },
  ],
};

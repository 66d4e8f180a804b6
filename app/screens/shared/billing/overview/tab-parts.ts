import { screenPart } from "#app/ui/lazy/screen-part.tsx";
import { EarningsTab } from "./earnings-tab.tsx";
import { OverviewTab } from "./overview-tab.tsx";
import { PaymentMethodsTab } from "./payment-methods-tab.tsx";
import { SubscriptionTab } from "./subscription-tab.tsx";
import { TransactionsTab } from "./transactions-tab.tsx";

export const OverviewTabPart = screenPart(
  "overview-tab",
  import.meta.env.SSR ? OverviewTab : undefined,
  async () => (await import("./overview-tab.tsx")).OverviewTab,
);

export const PaymentMethodsTabPart = screenPart(
  "payment-methods-tab",
  import.meta.env.SSR ? PaymentMethodsTab : undefined,
  async () => (await import("./payment-methods-tab.tsx")).PaymentMethodsTab,
);

export const SubscriptionTabPart = screenPart(
  "subscription-tab",
  import.meta.env.SSR ? SubscriptionTab : undefined,
  async () => (await import("./subscription-tab.tsx")).SubscriptionTab,
);

export const EarningsTabPart = screenPart(
  "earnings-tab",
  import.meta.env.SSR ? EarningsTab : undefined,
  async () => (await import("./earnings-tab.tsx")).EarningsTab,
);

export const TransactionsTabPart = screenPart(
  "transactions-tab",
  import.meta.env.SSR ? TransactionsTab : undefined,
  async () => (await import("./transactions-tab.tsx")).TransactionsTab,
);

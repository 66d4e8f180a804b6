import { screenPart } from "#app/ui/lazy/screen-part.tsx";
import { EarningsTab } from "./earnings-tab.tsx";
import { OverviewTab } from "./overview-tab.tsx";
import { PaymentMethodsTab } from "./payment-methods-tab.tsx";
import { SubscriptionTab } from "./subscription-tab.tsx";
import { TransactionsTab } from "./transactions-tab.tsx";

export const OverviewTabPart = screenPart("overview-tab", import.meta.env.SSR ? OverviewTab : undefined, () =>
  import("./overview-tab.tsx").then((part) => part.OverviewTab),
);

export const PaymentMethodsTabPart = screenPart(
  "payment-methods-tab",
  import.meta.env.SSR ? PaymentMethodsTab : undefined,
  () => import("./payment-methods-tab.tsx").then((part) => part.PaymentMethodsTab),
);

export const SubscriptionTabPart = screenPart(
  "subscription-tab",
  import.meta.env.SSR ? SubscriptionTab : undefined,
  () => import("./subscription-tab.tsx").then((part) => part.SubscriptionTab),
);

export const EarningsTabPart = screenPart("earnings-tab", import.meta.env.SSR ? EarningsTab : undefined, () =>
  import("./earnings-tab.tsx").then((part) => part.EarningsTab),
);

export const TransactionsTabPart = screenPart(
  "transactions-tab",
  import.meta.env.SSR ? TransactionsTab : undefined,
  () => import("./transactions-tab.tsx").then((part) => part.TransactionsTab),
);

import type { CostClass } from "#app/web/rate-limits/budgets.ts";

/** `load`: what its loader costs, `act`: its form. A form that `keeps` its values is shown again when it is refused. */
export type RouteCost = { load?: CostClass; act?: CostClass; keeps?: true };

const page: RouteCost = { load: "page" };
const file: RouteCost = { load: "costly" };
const buttons: RouteCost = { load: "page", act: "write" };
const form: RouteCost = { load: "page", act: "write", keeps: true };
const work: RouteCost = { load: "page", act: "costly" };
const costlyForm: RouteCost = { load: "page", act: "costly", keeps: true };

/** By the id of the route, without the portal that it is mounted in (app/routes.ts). */
export const routeCosts: Record<string, RouteCost> = {
  root: {},
  "screens/public/landing": page,
  "screens/public/auth-callback": { load: "sign_in", act: "sign_in" },
  "screens/public/register": { load: "page", act: "sign_in", keeps: true },
  "screens/public/logout": buttons,
  "screens/public/thank-you": page,
  "screens/public/terms": page,
  "screens/public/privacy": page,
  // Mail programs send it, many from one address.
  "screens/public/unsubscribe": { load: "read", act: "read" },
  "screens/public/not-found": { load: "page", act: "page" },
  login: { load: "page", act: "sign_in" },
  "screens/dev/mailbox": page,
  "screens/dev/google-authorize": buttons,
  // The server itself asks them for each sign-in.
  "screens/dev/google-token": { load: "read", act: "read" },
  "screens/dev/google-userinfo": { load: "read" },
  "screens/dev/sandbox-cards": form,
  "screens/dev/sandbox-confirm": form,
  // The calls have a table of their own (app/api/call-costs.ts).
  "api/route": {},

  "": buttons,
  index: page,
  dashboard: page,
  profile: form,
  "thank-you": page,
  products: page,
  "products/:id": page,
  "products/create": form,
  "products/selected": form,
  "products/export.csv": file,
  "products/template.csv": { load: "read" },
  "products/upload": work,
  "products/imports/:id": form,
  "products/imports/:id/report.csv": file,
  "products/stores/connect": costlyForm,
  "products/stores/:id": costlyForm,
  "products/stores/:id/disconnect": form,
  "products/:id/image": { load: "read" },
  "products/:id/edit": form,
  "products/:id/delete": form,
  analytics: page,
  "analytics/export": file,
  creatives: work,
  "creatives/upload": work,
  "creatives/:id/delete": form,
  billing: buttons,
  "billing/export.csv": file,
  "billing/statements": page,
  "billing/statements/export.csv": file,
  "billing/statements/statement.pdf": file,
  "billing/payment-methods/add": work,
  "billing/payment-methods/:id/remove": form,
  "billing/top-up": form,
  "billing/top-ups/:id": page,
  "billing/invoices": page,
  "billing/invoices/:id": form,
  "billing/invoices/:id/invoice.csv": file,
  "billing/invoices/:id/invoice.pdf": file,
  "billing/subscription/plans/:plan": form,
  "billing/subscription/cancel": form,
  "billing/subscription/pay": form,
  "billing/subscription/payments/:id": page,
  notifications: buttons,
  activity: page,
  "activity/export.csv": file,
  webhooks: form,
  "webhooks/:id": costlyForm,
  campaigns: buttons,
  "campaigns/create": form,
  "campaigns/create-for-advertiser": form,
  "campaigns/:id": buttons,
  "campaigns/:id/edit": form,
  "campaigns/:id/delete": form,
  "audiences/reach": file,
  audiences: page,
  "audiences/create": costlyForm,
  "audiences/:id": page,
  "audiences/:id/edit": form,
  "audiences/:id/archive": form,
  "audiences/:id/api": page,
  "audiences/:id/uploads": work,
  "audiences/:id/uploads/:upload": page,
  "audiences/:id/uploads/:upload/report.csv": file,
  "audiences/:id/uploads/:upload/state": { load: "read" },
  "audiences/:id/list": costlyForm,
  "audiences/:id/refresh": work,
  "audiences/connections": page,
  "audiences/connections/:program": costlyForm,
  "audiences/connections/:program/disconnect": buttons,
  "audiences/erasure": costlyForm,
  approval: page,
  "approval/:id": form,
  revenue: form,
  "revenue/account": form,
  "revenue/payouts/:id": page,
  "revenue/payouts/:id/statement.csv": file,
  "revenue/payouts/:id/statement.pdf": file,
};

/** What a route costs by its whole id. One that is not in the table, which a test finds, costs what most do. */
export function routeCostOf(routeId: string): RouteCost {
  return routeCosts[costNameOf(routeId)] ?? buttons;
}

export function costNameOf(routeId: string): string {
  return routeId.replace(/^(?:advertiser|publisher)(?:\/test-mode)?(?:\/|$)/, "");
}

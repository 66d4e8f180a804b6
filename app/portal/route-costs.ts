import { uploadLimits } from "#app/domain/audiences/audience.ts";
import { importLimits } from "#app/domain/catalog/imports/catalog-import.ts";
import { creativeLimits } from "#app/domain/creatives/creative.ts";
import type { CostClass } from "#app/web/rate-limits/budgets.ts";
import {
  fileLimits,
  payoutTimeoutMs,
  peopleTimeoutMs,
  type RequestLimits,
  tableLimits,
} from "#app/web/request-limits.ts";

/**
 * `load`: what its loader costs, `act`: its form. A form that `keeps` its values is shown again when it is refused.
 * `limits` are those of its loader and its form, where they are more than usual.
 */
export type RouteCost = {
  load?: CostClass;
  act?: CostClass;
  keepsValues?: true;
  limits?: { load?: RequestLimits; act?: RequestLimits };
};

const page: RouteCost = { load: "page" };
const file: RouteCost = { load: "costly" };
const tableFile: RouteCost = { ...file, limits: { load: tableLimits } };
const buttons: RouteCost = { load: "page", act: "write" };
const form: RouteCost = { load: "page", act: "write", keepsValues: true };
const work: RouteCost = { load: "page", act: "costly" };
const costlyForm: RouteCost = { load: "page", act: "costly", keepsValues: true };

/** Creatives, which some forms send only now and then. */
const withCreatives = { act: { ...fileLimits(creativeLimits.totalBytes), onlyWithFiles: true } } as const;
const withPeople = { act: fileLimits(uploadLimits.totalBytes) };

/** By the id of the route, without the portal that it is mounted in (app/routes.ts). */
export const routeCosts: Record<string, RouteCost> = {
  root: {},
  "screens/public/landing/route": page,
  "screens/public/auth-callback/route": { load: "sign_in", act: "sign_in" },
  "screens/public/register/route": { load: "page", act: "sign_in", keepsValues: true },
  "screens/public/logout/route": buttons,
  "screens/public/thank-you/route": page,
  "screens/public/terms/route": page,
  "screens/public/privacy/route": page,
  "screens/public/robots/route": { load: "read" },
  "screens/public/sitemap/route": { load: "read" },
  // Mail clients send unsubscribe requests, many of them from one IP address.
  "screens/public/unsubscribe/route": { load: "read", act: "read" },
  "screens/public/not-found/route": { load: "page", act: "page" },
  login: { load: "page", act: "sign_in" },
  "screens/dev/mailbox/route": page,
  "screens/dev/google/authorize/route": buttons,
  // The server itself requests these for each sign-in.
  "screens/dev/google/token/route": { load: "read", act: "read" },
  "screens/dev/google/userinfo/route": { load: "read" },
  "screens/dev/payments/cards/route": form,
  "screens/dev/payments/confirm/route": form,
  // Endpoints have their own table (app/api/endpoint-costs.ts).
  "api/route": {},

  "": buttons,
  index: page,
  dashboard: page,
  profile: form,
  "profile/close": form,
  "profile/confirm-email": form,
  "profile/copy": tableFile,
  "thank-you": page,
  products: page,
  "products/:id": page,
  "products/create": form,
  // A change of a whole catalog.
  "products/selected": { ...form, limits: { act: { timeout: 120_000, isTransfer: true } } },
  "products/export.csv": tableFile,
  "products/template.csv": { load: "read" },
  "products/upload": { ...work, limits: { act: fileLimits(importLimits.bytes) } },
  "products/imports/:id": form,
  "products/imports/:id/report.csv": tableFile,
  "products/stores/connect": costlyForm,
  "products/stores/:id": costlyForm,
  "products/stores/:id/disconnect": form,
  "products/:id/image": { load: "read" },
  "products/:id/edit": form,
  "products/:id/delete": form,
  analytics: page,
  "analytics/export": tableFile,
  creatives: { ...work, limits: withCreatives },
  "creatives/upload": { ...work, limits: withCreatives },
  "creatives/:id/delete": form,
  billing: buttons,
  "billing/export.csv": tableFile,
  "billing/statements": page,
  "billing/statements/export.csv": tableFile,
  "billing/statements/statement.pdf": file,
  "billing/payment-methods/add": work,
  "billing/payment-methods/:id/remove": form,
  "billing/top-up": form,
  "billing/top-ups/:id": page,
  "billing/invoices": page,
  "billing/invoices/:id": form,
  "billing/invoices/:id/invoice.csv": tableFile,
  "billing/invoices/:id/invoice.pdf": file,
  "billing/subscription/plans/:plan": form,
  "billing/subscription/cancel": form,
  "billing/subscription/pay": form,
  "billing/subscription/payments/:id": page,
  api: page,
  "api/:group": page,
  help: page,
  preferences: buttons,
  search: page,
  "search/results": { load: "read" },
  undo: buttons,
  views: form,
  "views/:id": form,
  notifications: buttons,
  "notifications/latest": { load: "read" },
  activity: page,
  "activity/export.csv": tableFile,
  reports: page,
  "reports/create": form,
  "reports/:id": costlyForm,
  "reports/:id/edit": form,
  "reports/:id/schedule": form,
  "reports/:id/sendings/:sending": tableFile,
  webhooks: form,
  "webhooks/:id": costlyForm,
  campaigns: buttons,
  "campaigns/export.csv": tableFile,
  "campaigns/create": { ...form, limits: withCreatives },
  "campaigns/autosave": { act: "write" },
  "campaigns/create-for-advertiser": { ...form, limits: withCreatives },
  "campaigns/:id": buttons,
  "campaigns/:id/edit": { ...form, limits: withCreatives },
  "campaigns/:id/budget": form,
  "campaigns/:id/delete": form,
  "audiences/reach": file,
  audiences: page,
  "audiences/create": { ...costlyForm, limits: withPeople },
  "audiences/:id": page,
  "audiences/:id/edit": form,
  "audiences/:id/archive": form,
  "audiences/:id/api": page,
  "audiences/:id/uploads": { ...work, limits: withPeople },
  "audiences/:id/uploads/:upload": page,
  "audiences/:id/uploads/:upload/columns": form,
  "audiences/:id/uploads/:upload/report.csv": file,
  "audiences/:id/uploads/:upload/state": { load: "read" },
  "audiences/:id/list": costlyForm,
  "audiences/:id/refresh": work,
  "audiences/connections": page,
  "audiences/connections/:integration": costlyForm,
  "audiences/connections/:integration/disconnect": buttons,
  "audiences/erasure": { ...costlyForm, limits: { act: { maxBodyBytes: 4 * 1024 * 1024, timeout: peopleTimeoutMs } } },
  approval: page,
  "approval/:id": form,
  revenue: { ...form, limits: { act: { timeout: payoutTimeoutMs, isTransfer: true } } },
  "revenue/account": form,
  "revenue/payouts/:id": page,
  "revenue/payouts/:id/statement.csv": tableFile,
  "revenue/payouts/:id/statement.pdf": file,
};

/**
 * Returns the cost of a route by its full id. A route missing from the table, which a test detects, gets the default
 * cost.
 */
export function routeCostOf(routeId: string): RouteCost {
  return routeCosts[costNameOf(routeId)] ?? buttons;
}

export function costNameOf(routeId: string): string {
  return routeId.replace(/^(?:advertiser|publisher)(?:\/test-mode)?(?:\/|$)/, "");
}

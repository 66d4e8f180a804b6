import { index, type RouteConfig, type RouteConfigEntry, route } from "@remix-run/route-config";

/**
 * The table of contents: a URL exists if it stands here. `/api` is one route; its calls stand in `api/calls.ts`.
 * Files (`/assets`, `/creatives`) are the server's own, without the router.
 * Each portal is one list of screens, mounted twice: live, and in test mode.
 */
type Screen = [path: string, file: string, children?: Screen[]];

/** What both portals have, from `screens/shared`. */
const sharedScreens: Screen[] = [
  ["products", "shared/products/products", [[":id", "shared/products/product"]]],
  ["products/create", "shared/products/create-product"],
  ["products/selected", "shared/products/selected-products"],
  ["products/export.csv", "shared/products/export-products"],
  ["products/template.csv", "shared/products/product-template"],
  ["products/upload", "shared/products/upload-products"],
  ["products/imports/:id", "shared/products/product-import"],
  ["products/imports/:id/report.csv", "shared/products/import-report"],
  ["products/stores/connect", "shared/products/connect-store"],
  ["products/stores/:id", "shared/products/store"],
  ["products/stores/:id/disconnect", "shared/products/disconnect-store"],
  ["products/:id/image", "shared/products/product-image"],
  ["products/:id/edit", "shared/products/edit-product"],
  ["products/:id/delete", "shared/products/delete-product"],
  ["analytics", "shared/analytics/analytics"],
  ["analytics/export", "shared/analytics/export-analytics"],
  ["creatives", "shared/creatives/creatives"],
  ["billing", "shared/billing/billing"],
  ["billing/export.csv", "shared/billing/export-billing"],
  ["billing/statements", "shared/billing/statement"],
  ["billing/statements/export.csv", "shared/billing/export-statement"],
  ["billing/payment-methods/add", "shared/billing/add-payment-method"],
  ["billing/payment-methods/:id/remove", "shared/billing/remove-payment-method"],
  ["billing/statements/statement.pdf", "shared/billing/statement-pdf"],
  ["notifications", "shared/notifications/notifications"],
  ["activity", "shared/activity/activity"],
  ["activity/export.csv", "shared/activity/export-activity"],
  ["webhooks", "shared/webhooks/webhooks"],
  ["webhooks/:id", "shared/webhooks/webhook"],
  ["creatives/upload", "shared/creatives/upload-creatives"],
  ["creatives/:id/delete", "shared/creatives/delete-creative"],
];

const advertiserScreens: Screen[] = [
  ["dashboard", "dashboard"],
  ["audiences/reach", "audience-reach"],
  ["billing/top-up", "top-up"],
  ["billing/top-ups/:id", "top-up-state"],
  ["billing/invoices", "invoices"],
  ["billing/invoices/:id", "invoice"],
  ["billing/invoices/:id/invoice.csv", "invoice-csv"],
  ["billing/invoices/:id/invoice.pdf", "invoice-pdf"],
  ["campaigns", "campaigns"],
  ["campaigns/create", "create-campaign"],
  ["campaigns/:id", "campaign"],
  ["campaigns/:id/edit", "edit-campaign"],
  ["campaigns/:id/delete", "delete-campaign"],
  ["profile", "profile"],
  ...sharedScreens,
];

const publisherScreens: Screen[] = [
  ["dashboard", "dashboard"],
  ["audiences", "audiences"],
  ["audiences/create", "create-audience"],
  ["audiences/:id", "audience"],
  ["audiences/:id/edit", "edit-audience"],
  ["audiences/:id/archive", "archive-audience"],
  ["audiences/:id/api", "audience-api"],
  ["audiences/:id/uploads", "upload-files"],
  ["audiences/:id/uploads/:upload", "upload-report"],
  ["audiences/:id/uploads/:upload/report.csv", "upload-report-csv"],
  ["audiences/:id/uploads/:upload/state", "upload-state"],
  ["audiences/:id/list", "choose-list"],
  ["audiences/:id/refresh", "refresh-audience"],
  ["audiences/connections", "connections"],
  ["audiences/connections/:program", "connect-program"],
  ["audiences/connections/:program/disconnect", "disconnect-program"],
  ["audiences/erasure", "erase-people"],
  ["audiences/reach", "audience-reach"],
  ["approval", "approval", [[":id", "review-campaign"]]],
  ["campaigns", "campaigns"],
  ["campaigns/create", "create-for-advertiser"],
  ["campaigns/create-for-advertiser", "create-for-advertiser"],
  ["campaigns/:id", "campaign"],
  ["revenue", "revenue"],
  ["revenue/account", "payout-account"],
  ["revenue/payouts/:id", "payout"],
  ["revenue/payouts/:id/statement.csv", "payout-csv"],
  ["revenue/payouts/:id/statement.pdf", "payout-pdf"],
  ["billing/subscription/plans/:plan", "choose-plan"],
  ["billing/subscription/cancel", "cancel-subscription"],
  ["billing/subscription/pay", "pay-subscription"],
  ["billing/subscription/payments/:id", "plan-payment"],
  ["profile", "profile"],
  ...sharedScreens,
];

/** The same files under two paths need ids of their own, or the build stops with "duplicate route id". */
function mountPortal(portal: "advertiser" | "publisher", screens: Screen[]): RouteConfigEntry[] {
  const fileOf = (file: string) => `screens/${file.startsWith("shared/") ? file : `${portal}/${file}`}.tsx`;
  const mount = (base: string, more: RouteConfigEntry[]) => {
    const entry = ([path, file, children = []]: Screen): RouteConfigEntry =>
      route(
        path,
        fileOf(file),
        { id: `${base}/${path}` },
        children.map(([childPath, childFile]) =>
          route(childPath, fileOf(childFile), { id: `${base}/${path}/${childPath}` }),
        ),
      );
    return route(base, `screens/${portal}/layout.tsx`, { id: base }, [
      index(`screens/${portal}/dashboard.tsx`, { id: `${base}/index` }),
      ...screens.map(entry),
      ...more,
    ]);
  };
  return [
    route(`${portal}/login`, "screens/public/login.tsx", { id: `${portal}/login` }),
    mount(portal, []),
    mount(`${portal}/test-mode`, [
      route("thank-you/:kind", "screens/public/thank-you.tsx", { id: `${portal}/test-mode/thank-you` }),
    ]),
  ];
}

export default [
  index("screens/public/landing.tsx"),
  route("auth/callback", "screens/public/auth-callback.tsx"),
  route("register", "screens/public/register.tsx"),
  route("logout", "screens/public/logout.tsx"),
  route("thank-you/:kind", "screens/public/thank-you.tsx"),
  route("terms", "screens/public/terms.tsx"),
  route("privacy", "screens/public/privacy.tsx"),
  route("unsubscribe", "screens/public/unsubscribe.tsx"),
  ...mountPortal("advertiser", advertiserScreens),
  ...mountPortal("publisher", publisherScreens),
  route("dev/mailbox", "screens/dev/mailbox.tsx"),
  route("dev/google/authorize", "screens/dev/google-authorize.tsx"),
  route("dev/google/token", "screens/dev/google-token.ts"),
  route("dev/google/userinfo", "screens/dev/google-userinfo.ts"),
  route("dev/payments/cards/:page", "screens/dev/sandbox-cards.tsx"),
  route("dev/payments/confirm/:payment", "screens/dev/sandbox-confirm.tsx"),
  route("api/*", "api/route.ts"),
  route("*", "screens/public/not-found.tsx"),
] satisfies RouteConfig;

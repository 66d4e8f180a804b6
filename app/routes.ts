import type { RouteConfig, RouteConfigEntry } from "@remix-run/route-config";

/**
 * The route table: a URL exists if it is listed here. `/api` is one route; its endpoints are in `api/endpoints.ts`.
 * The server itself serves files (`/assets`, `/creatives`) without the router.
 * Each portal is one list of screens, mounted twice: live and in test mode.
 */
type Screen = [path: string, file: string, children?: Screen[]];

/** The screens of both portals, from `screens/shared`. */
const sharedScreens: Screen[] = [
  ["profile/close", "shared/profile/close"],
  ["profile/confirm-email", "shared/profile/confirm-email"],
  ["profile/copy", "shared/profile/copy/route.ts"],
  ["products", "shared/products/list", [[":id", "shared/products/detail"]]],
  ["products/create", "shared/products/create"],
  ["products/selected", "shared/products/selected"],
  ["products/export.csv", "shared/products/list/csv.ts"],
  ["products/template.csv", "shared/products/upload/template.ts"],
  ["products/upload", "shared/products/upload"],
  ["products/imports/:id", "shared/products/import"],
  ["products/imports/:id/report.csv", "shared/products/import/csv.ts"],
  ["products/stores/connect", "shared/products/stores/connect"],
  ["products/stores/:id", "shared/products/stores/detail"],
  ["products/stores/:id/disconnect", "shared/products/stores/disconnect"],
  ["products/:id/image", "shared/products/image/route.ts"],
  ["products/:id/edit", "shared/products/edit"],
  ["products/:id/delete", "shared/products/delete"],
  ["analytics", "shared/analytics"],
  ["analytics/export", "shared/analytics/export.ts"],
  ["reports", "shared/reports/list"],
  ["reports/create", "shared/reports/create"],
  ["reports/:id", "shared/reports/detail"],
  ["reports/:id/edit", "shared/reports/edit"],
  ["reports/:id/schedule", "shared/reports/schedule"],
  ["reports/:id/sendings/:sending", "shared/reports/file/route.ts"],
  ["creatives", "shared/creatives/list"],
  ["billing", "shared/billing/overview"],
  ["billing/export.csv", "shared/billing/overview/csv.ts"],
  ["billing/statements", "shared/billing/statement"],
  ["billing/statements/export.csv", "shared/billing/statement/csv.ts"],
  ["billing/payment-methods/add", "shared/billing/add-payment-method/route.ts"],
  ["billing/payment-methods/:id/remove", "shared/billing/remove-payment-method"],
  ["billing/statements/statement.pdf", "shared/billing/statement/pdf.ts"],
  ["api", "shared/api-reference/overview"],
  ["api/:group", "shared/api-reference/group"],
  ["help", "shared/help"],
  ["preferences", "shared/preferences/route.ts"],
  ["search", "shared/search"],
  ["search/results", "shared/search/results/route.ts"],
  ["undo", "shared/undo/route.ts"],
  ["views", "shared/views/save"],
  ["views/:id", "shared/views/edit"],
  ["notifications", "shared/notifications"],
  ["notifications/latest", "shared/notifications/latest/route.ts"],
  ["activity", "shared/activity/list"],
  ["activity/export.csv", "shared/activity/list/csv.ts"],
  ["webhooks", "shared/webhooks/list"],
  ["webhooks/:id", "shared/webhooks/detail"],
  ["creatives/upload", "shared/creatives/upload/route.ts"],
  ["creatives/:id/delete", "shared/creatives/delete"],
];

const advertiserScreens: Screen[] = [
  ["dashboard", "dashboard"],
  ["audiences/reach", "audiences/reach/route.ts"],
  ["audiences/:id", "audiences/detail"],
  ["billing/top-up", "billing/top-up"],
  ["billing/top-ups/:id", "billing/top-up-result"],
  ["billing/invoices", "billing/invoices"],
  ["billing/invoices/:id", "billing/invoice"],
  ["billing/invoices/:id/invoice.csv", "billing/invoice/csv.ts"],
  ["billing/invoices/:id/invoice.pdf", "billing/invoice/pdf.ts"],
  ["campaigns", "campaigns/list"],
  ["campaigns/export.csv", "campaigns/list/csv.ts"],
  ["campaigns/create", "campaigns/create"],
  ["campaigns/autosave", "campaigns/autosave/route.ts"],
  ["campaigns/:id", "campaigns/detail"],
  ["campaigns/:id/edit", "campaigns/edit"],
  ["campaigns/:id/budget", "campaigns/budget"],
  ["campaigns/:id/delete", "campaigns/delete"],
  ["profile", "profile"],
  ...sharedScreens,
];

const publisherScreens: Screen[] = [
  ["dashboard", "dashboard"],
  ["audiences", "audiences/list"],
  ["audiences/create", "audiences/create"],
  ["audiences/:id", "audiences/detail"],
  ["audiences/:id/edit", "audiences/edit"],
  ["audiences/:id/archive", "audiences/archive"],
  ["audiences/:id/api", "audiences/api"],
  ["audiences/:id/uploads", "audiences/upload"],
  ["audiences/:id/uploads/:upload", "audiences/upload-report"],
  ["audiences/:id/uploads/:upload/columns", "audiences/upload-columns"],
  ["audiences/:id/uploads/:upload/report.csv", "audiences/upload-report/csv.ts"],
  ["audiences/:id/uploads/:upload/state", "audiences/upload-report/status.ts"],
  ["audiences/:id/list", "audiences/remote-list"],
  ["audiences/:id/refresh", "audiences/refresh/route.ts"],
  ["audiences/connections", "audiences/connections"],
  ["audiences/connections/:integration", "audiences/connect"],
  ["audiences/connections/:integration/disconnect", "audiences/disconnect"],
  ["audiences/erasure", "audiences/erasure"],
  ["audiences/reach", "audiences/reach/route.ts"],
  ["approval", "campaigns/approval", [[":id", "campaigns/review"]]],
  ["campaigns", "campaigns/list"],
  ["campaigns/export.csv", "campaigns/list/csv.ts"],
  ["campaigns/create", "campaigns/create-for-advertiser"],
  ["campaigns/create-for-advertiser", "campaigns/create-for-advertiser"],
  ["campaigns/:id", "campaigns/detail"],
  ["campaigns/:id/budget", "campaigns/budget"],
  ["campaigns/:id/edit", "campaigns/edit"],
  ["revenue", "revenue/overview"],
  ["revenue/account", "revenue/payout-account"],
  ["revenue/payouts/:id", "revenue/payout"],
  ["revenue/payouts/:id/statement.csv", "revenue/payout/csv.ts"],
  ["revenue/payouts/:id/statement.pdf", "revenue/payout/pdf.ts"],
  ["billing/subscription/plans/:plan", "subscription/choose-plan"],
  ["billing/subscription/cancel", "subscription/cancel"],
  ["billing/subscription/pay", "subscription/pay"],
  ["billing/subscription/payments/:id", "subscription/payment"],
  ["profile", "profile"],
  ...sharedScreens,
];

/** The same file under two paths needs two ids; otherwise the build fails with "duplicate route id". */
function mountPortal(portal: "advertiser" | "publisher", screens: Screen[]): RouteConfigEntry[] {
  const fileOf = (file: string) => {
    const path = file.startsWith("shared/") ? file : `${portal}/${file}`;
    return path.endsWith(".ts") ? `screens/${path}` : `screens/${path}/route.tsx`;
  };
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
      index(`screens/${portal}/dashboard/route.tsx`, { id: `${base}/index` }),
      ...screens.map(entry),
      ...more,
    ]);
  };
  return [
    route(`${portal}/login`, "screens/public/login/route.tsx", { id: `${portal}/login` }),
    mount(portal, []),
    mount(`${portal}/test-mode`, [
      route("thank-you/:kind", "screens/public/thank-you/route.tsx", { id: `${portal}/test-mode/thank-you` }),
    ]),
  ];
}

/** Written here because those of the package load Remix's compiler, which takes a processor second. */
function route(path: string, file: string, options?: { id: string }, children?: RouteConfigEntry[]): RouteConfigEntry {
  return { path, file, children, ...options };
}
function index(file: string, options?: { id: string }): RouteConfigEntry {
  return { file, index: true, ...options };
}

export default [
  index("screens/public/landing/route.tsx"),
  route("auth/callback", "screens/public/auth-callback/route.tsx"),
  route("register", "screens/public/register/route.tsx"),
  route("logout", "screens/public/logout/route.tsx"),
  route("thank-you/:kind", "screens/public/thank-you/route.tsx"),
  route("terms", "screens/public/terms/route.tsx"),
  route("privacy", "screens/public/privacy/route.tsx"),
  route("robots.txt", "screens/public/robots/route.ts"),
  route("sitemap.xml", "screens/public/sitemap/route.ts"),
  route("unsubscribe", "screens/public/unsubscribe/route.tsx"),
  ...mountPortal("advertiser", advertiserScreens),
  ...mountPortal("publisher", publisherScreens),
  route("dev/mailbox", "screens/dev/mailbox/route.tsx"),
  route("dev/google/authorize", "screens/dev/google/authorize/route.tsx"),
  route("dev/google/token", "screens/dev/google/token/route.ts"),
  route("dev/google/userinfo", "screens/dev/google/userinfo/route.ts"),
  route("dev/payments/cards/:page", "screens/dev/payments/cards/route.tsx"),
  route("dev/payments/confirm/:payment", "screens/dev/payments/confirm/route.tsx"),
  route("api/*", "api/route.ts"),
  route("*", "screens/public/not-found/route.tsx"),
] satisfies RouteConfig;

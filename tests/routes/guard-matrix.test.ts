import { beforeAll, describe, expect, test } from "vitest";
import { auditEntries } from "#db/schema/index.ts";
import { useDatabase } from "#tests/support/database/database.ts";
import { useStandIn } from "#tests/support/stand-in.ts";
import { makeRouteVisits, moduleOf, type RouteVisits, routeTable as table } from "./route-visits.ts";

const db = useDatabase();
useStandIn();

type Kind = "public" | "advertiser" | "publisher" | "advertiser test mode" | "publisher test mode";
type Row = { kind: Kind; handlers: readonly ("loader" | "action")[] };
const reads = ["loader"] as const;
const both = ["loader", "action"] as const;

/** The routes of both portals. */
const shared = {
  "/products": reads,
  "/products/:id": reads,
  "/products/create": both,
  "/products/selected": both,
  "/products/export.csv": reads,
  "/products/template.csv": reads,
  "/products/upload": both,
  "/products/imports/:id": both,
  "/products/imports/:id/report.csv": reads,
  "/products/stores/connect": both,
  "/products/stores/:id": both,
  "/products/stores/:id/disconnect": both,
  "/products/:id/image": reads,
  "/products/:id/edit": both,
  "/products/:id/delete": both,
  "/profile/close": both,
  "/profile/confirm-email": both,
  "/profile/copy": reads,
  "/analytics": reads,
  "/analytics/export": reads,
  "/billing": both,
  "/billing/export.csv": reads,
  "/billing/statements": reads,
  "/billing/statements/export.csv": reads,
  "/billing/payment-methods/add": both,
  "/billing/payment-methods/:id/remove": both,
  "/billing/statements/statement.pdf": reads,
  "/reports": reads,
  "/reports/create": both,
  "/reports/:id": both,
  "/reports/:id/edit": both,
  "/reports/:id/schedule": both,
  "/reports/:id/sendings/:sending": reads,
  "/creatives": both,
  "/notifications": both,
  "/api": reads,
  "/api/:group": reads,
  "/help": reads,
  "/preferences": both,
  "/notifications/latest": reads,
  "/search": reads,
  "/search/results": reads,
  "/undo": both,
  "/views": both,
  "/views/:id": both,
  "/activity": reads,
  "/activity/export.csv": reads,
  "/webhooks": both,
  "/webhooks/:id": both,
  "/creatives/upload": both,
  "/creatives/:id/delete": both,
};

/** Routes that every advertiser may read: the audiences that it can select. */
const offeredToAll = new Set(["/advertiser/audiences/:id"]);

/** Pages of one's own data, which open before an account is approved too. */
const openToUnapproved = /\/profile\/(?:close|copy)$/;

/**
 * The guard of each route, stated here a second time. A route without a row fails, and so does a row without a route.
 */
const screens: Record<"advertiser" | "publisher", Record<string, readonly ("loader" | "action")[]>> = {
  advertiser: {
    "": both,
    "/index": reads,
    "/dashboard": reads,
    "/audiences/reach": reads,
    "/audiences/:id": reads,
    "/billing/top-up": both,
    "/billing/top-ups/:id": reads,
    "/billing/invoices": reads,
    "/billing/invoices/:id": both,
    "/billing/invoices/:id/invoice.csv": reads,
    "/billing/invoices/:id/invoice.pdf": reads,
    "/campaigns": both,
    "/campaigns/export.csv": reads,
    "/campaigns/create": both,
    "/campaigns/autosave": ["action"],
    "/campaigns/:id": both,
    "/campaigns/:id/edit": both,
    "/campaigns/:id/budget": both,
    "/campaigns/:id/delete": both,
    "/profile": both,
    ...shared,
  },
  publisher: {
    "": both,
    "/index": reads,
    "/dashboard": reads,
    "/audiences": reads,
    "/audiences/create": both,
    "/audiences/:id": reads,
    "/audiences/:id/edit": both,
    "/audiences/:id/archive": both,
    "/audiences/:id/api": reads,
    "/audiences/:id/uploads": both,
    "/audiences/:id/uploads/:upload": reads,
    "/audiences/:id/uploads/:upload/columns": both,
    "/audiences/:id/uploads/:upload/report.csv": reads,
    "/audiences/:id/uploads/:upload/state": reads,
    "/audiences/:id/list": both,
    "/audiences/:id/refresh": both,
    "/audiences/connections": reads,
    "/audiences/connections/:integration": both,
    "/audiences/connections/:integration/disconnect": both,
    "/audiences/erasure": both,
    "/audiences/reach": reads,
    "/approval": reads,
    "/approval/:id": both,
    "/campaigns": both,
    "/campaigns/export.csv": reads,
    "/campaigns/create": both,
    "/campaigns/create-for-advertiser": both,
    "/campaigns/:id": both,
    "/campaigns/:id/budget": both,
    "/campaigns/:id/edit": both,
    "/billing/subscription/plans/:plan": both,
    "/billing/subscription/cancel": both,
    "/billing/subscription/pay": both,
    "/billing/subscription/payments/:id": reads,
    "/revenue": both,
    "/revenue/account": both,
    "/revenue/payouts/:id": reads,
    "/revenue/payouts/:id/statement.csv": reads,
    "/revenue/payouts/:id/statement.pdf": reads,
    "/profile": both,
    ...shared,
  },
};

const publicRows: Record<string, Row["handlers"]> = {
  "/": reads,
  "/auth/callback": both,
  "/register": both,
  "/logout": both,
  "/thank-you/:kind": reads,
  "/terms": reads,
  "/privacy": reads,
  "/robots.txt": reads,
  "/sitemap.xml": reads,
  "/unsubscribe": both,
  "/advertiser/login": both,
  "/publisher/login": both,
  "/dev/mailbox": reads,
  "/dev/google/authorize": both,
  "/dev/google/token": both,
  "/dev/google/userinfo": reads,
  "/dev/payments/cards/:page": both,
  "/dev/payments/confirm/:payment": both,
  "/api/*": both,
  "/*": both,
};

const rows = new Map<string, Row>([
  ...Object.entries(publicRows).map(([path, handlers]): [string, Row] => [path, { kind: "public", handlers }]),
  ...(["advertiser", "publisher"] as const).flatMap((portal) =>
    Object.entries(screens[portal]).flatMap(([path, handlers]): [string, Row][] => [
      [`/${portal}${path}`, { kind: portal, handlers }],
      [`/${portal}/test-mode${path}`, { kind: `${portal} test mode`, handlers }],
    ]),
  ),
  ["/advertiser/test-mode/thank-you/:kind", { kind: "advertiser test mode", handlers: reads }],
  ["/publisher/test-mode/thank-you/:kind", { kind: "publisher test mode", handlers: reads }],
]);

const portalRoutes = table.flatMap(({ path, file }) => {
  const row = rows.get(path);
  return row && row.kind !== "public"
    ? [{ path, file, portal: portalOf(row.kind), kind: row.kind, handlers: row.handlers }]
    : [];
});

let visits: RouteVisits;
beforeAll(async () => {
  visits = await makeRouteVisits(db());
});

const call: RouteVisits["call"] = (file, visit) => visits.call(file, visit);

test("every route of the table has a row here, and every row a route", () => {
  expect(table.map((route) => route.path).sort()).toEqual([...rows.keys()].sort());
});

test.each(table)("$path has the handlers of its row", async ({ path, file }) => {
  const module = await moduleOf(file);
  const found = both.filter((name) => typeof module[name] === "function");
  expect(found).toEqual(rows.get(path)?.handlers);
});

describe.each(portalRoutes.filter((route) => !route.kind.endsWith("test mode")))(
  "$path",
  ({ path, file, portal, handlers }) => {
    const own = portal === "advertiser" ? "northwind" : "harbor";
    const other = portal === "advertiser" ? "harbor" : "northwind";
    const neighbour = portal === "advertiser" ? "brightside" : "fern";
    const unapproved = portal === "advertiser" ? "larkspur" : "cobblestone";

    const only = openToUnapproved.test(path) ? "only accounts of the portal" : "only approved accounts of the portal";
    test.each([...handlers])(`%s: ${only}`, async (handler) => {
      const lines = await db().$count(auditEntries);
      const visited = await call(file, { path, handler });
      expect([visited.status, visited.location?.split("?")[0]]).toEqual([302, `/${portal}/login`]);
      const newcomer = await call(file, { path, handler, as: "newcomer" });
      expect([newcomer.status, newcomer.location]).toEqual([302, `/register?type=${portal}`]);
      const wrong = await call(file, { path, handler, as: other });
      expect([wrong.status, wrong.body]).toEqual([403, `Access denied. This portal is for ${portal}s only.`]);
      if (!openToUnapproved.test(path)) {
        const waiting = await call(file, { path, handler, as: unapproved });
        expect([waiting.status, waiting.body]).toEqual([
          403,
          "Your account is pending approval. Please contact support.",
        ]);
      }
      if (path.includes(":id") && !offeredToAll.has(path))
        expect((await call(file, { path, handler, as: neighbour })).status).toBe(404);
      expect(await db().$count(auditEntries)).toBe(lines);

      const granted = await call(file, { path, handler, as: own });
      expect([401, 403, 404]).not.toContain(granted.status);
      expect(granted.status).toBeLessThan(500);
      expect(granted.location ?? "").not.toMatch(/login|register/);
      if (openToUnapproved.test(path)) {
        const waiting = await call(file, { path, handler, as: unapproved });
        expect(waiting.status).toBe(granted.status);
      }
    });
  },
);

describe.each(portalRoutes.filter((route) => route.kind.endsWith("test mode")))(
  "$path",
  ({ path, file, portal, handlers }) => {
    const foreign = portal === "advertiser" ? "brightside" : "fern";

    test.each([...handlers])("%s: the demo account's data for any visitor; links stay inside", async (handler) => {
      for (const as of [undefined, "newcomer", foreign, "cobblestone"]) {
        const response = await call(file, { path, handler, as });
        expect([401, 403, 404], `${as}`).not.toContain(response.status);
        expect(response.status).toBeLessThan(500);
        // The sandbox's pages belong to no portal.
        if (response.location?.startsWith("/dev/payments/")) continue;
        if (response.location) expect(response.location).toContain(`/${portal}/test-mode`);
      }
    });
  },
);

function portalOf(kind: Kind): "advertiser" | "publisher" {
  return kind.startsWith("advertiser") ? "advertiser" : "publisher";
}

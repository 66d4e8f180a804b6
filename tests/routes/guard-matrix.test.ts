import { resolve } from "node:path";
import type { ActionFunctionArgs, LoaderFunctionArgs } from "@remix-run/node";
import type { RouteConfigEntry } from "@remix-run/route-config";
import { beforeAll, describe, expect, test } from "vitest";
import { startSession } from "#app/domain/accounts/start-session.server.ts";
import { reserveUpload } from "#app/domain/audiences/reserve-upload.server.ts";
import { addPaymentMethod } from "#app/domain/billing/payments/add-payment-method.server.ts";
import { changePlan } from "#app/domain/billing/subscription/change-plan.server.ts";
import { topUpWallet } from "#app/domain/billing/wallet/top-up-wallet.server.ts";
import { reserveImport } from "#app/domain/catalog/imports/reserve-import.server.ts";
import {
  type AccountId,
  newId,
  type PaymentMethodId,
  type PayoutId,
  type ProductId,
  type StoreId,
  type WebhookId,
} from "#app/domain/ids.ts";
import { toCents } from "#app/domain/money.ts";
import routes from "#app/routes.ts";
import { auditEntries, paymentMethods, payouts, productStores, products, webhooks } from "#db/schema/index.ts";
import { newUser, visitor } from "#tests/domain/accounts/people.ts";
import { answerOf } from "#tests/support/browser.ts";
import { sessionCookie } from "#tests/support/cookies.ts";
import { insertCreative } from "#tests/support/creatives.ts";
import { useDatabase } from "#tests/support/database.ts";
import { insertInvoice } from "#tests/support/invoices.ts";
import { useStandIn } from "#tests/support/stand-in.ts";
import { makeWorld, type World } from "#tests/support/world.ts";

const db = useDatabase();
useStandIn();

type Kind = "public" | "advertiser" | "publisher" | "advertiser test mode" | "publisher test mode";
type Row = { kind: Kind; handlers: readonly ("loader" | "action")[] };
const reads = ["loader"] as const;
const both = ["loader", "action"] as const;

/** What both portals have. */
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
  "/products/:id/edit": both,
  "/products/:id/delete": both,
  "/analytics": reads,
  "/analytics/export": reads,
  "/billing": both,
  "/billing/export.csv": reads,
  "/billing/statements": reads,
  "/billing/statements/export.csv": reads,
  "/billing/payment-methods/add": both,
  "/billing/payment-methods/:id/remove": both,
  "/billing/statements/statement.pdf": reads,
  "/creatives": both,
  "/notifications": both,
  "/activity": reads,
  "/activity/export.csv": reads,
  "/webhooks": both,
  "/webhooks/:id": both,
  "/creatives/upload": both,
  "/creatives/:id/delete": both,
};

/** Who guards what, stated here a second time. A route without a row fails, and so does a row without a route. */
const screens: Record<"advertiser" | "publisher", Record<string, readonly ("loader" | "action")[]>> = {
  advertiser: {
    "": both,
    "/index": reads,
    "/dashboard": reads,
    "/audiences/reach": reads,
    "/billing/top-up": both,
    "/billing/top-ups/:id": reads,
    "/billing/invoices": reads,
    "/billing/invoices/:id": both,
    "/billing/invoices/:id/invoice.csv": reads,
    "/billing/invoices/:id/invoice.pdf": reads,
    "/campaigns": both,
    "/campaigns/create": both,
    "/campaigns/:id": both,
    "/campaigns/:id/edit": both,
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
    "/audiences/:id/uploads/:upload/report.csv": reads,
    "/audiences/:id/uploads/:upload/state": reads,
    "/audiences/:id/list": both,
    "/audiences/:id/refresh": both,
    "/audiences/connections": reads,
    "/audiences/connections/:program": both,
    "/audiences/connections/:program/disconnect": both,
    "/audiences/erasure": both,
    "/audiences/reach": reads,
    "/approval": reads,
    "/approval/:id": both,
    "/campaigns": both,
    "/campaigns/create": both,
    "/campaigns/create-for-advertiser": both,
    "/campaigns/:id": both,
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
  "/terms": [],
  "/privacy": [],
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

/** The table's routes by their whole path; an index route under its parent's path and `/index`. */
function listRoutes(entries: RouteConfigEntry[], parent = ""): { path: string; file: string }[] {
  return entries.flatMap((entry) => {
    const path = `${parent}/${entry.index && parent ? "index" : (entry.path ?? "")}`;
    return [{ path, file: entry.file }, ...listRoutes(entry.children ?? [], path)];
  });
}

const table = listRoutes(await routes);
const portalRoutes = table.flatMap(({ path, file }) => {
  const row = rows.get(path);
  return row && row.kind !== "public"
    ? [{ path, file, portal: portalOf(row.kind), kind: row.kind, handlers: row.handlers }]
    : [];
});

let world: World;
let campaignId: string;
let upload: string;
let topUp: string;
let planPayment: string;
const cookies = new Map<string, string>();
beforeAll(async () => {
  world = await makeWorld(db());
  campaignId = await world.aRunningCampaign();
  const own = { audienceId: world.audience("hikers"), mode: "add", key: undefined } as const;
  upload = (await reserveUpload(world.harbor, own)).id;
  const { id: method } = await addPaymentMethod(world.northwind, { token: "tok_confirmation" });
  const wanted = { amount: toCents(5_000), payment_method_id: method, key: newId() };
  topUp = (await topUpWallet(world.northwind, { ...wanted, returnPath: () => "/" })).id;
  await addPaymentMethod(world.harbor, { token: "tok_confirmation" });
  await world.subscribe("harbor", "starter");
  planPayment = (await changePlan(world.harbor, { planType: "professional", key: newId(), returnPath: () => "/" })).id;
  for (const who of ["northwind", "brightside", "harbor", "fern", "larkspur", "cobblestone"] as const) {
    cookies.set(who, await world.cookieOf(who));
  }
  const { token } = await startSession(visitor(), { userId: await newUser(), userAgent: null, replaces: undefined });
  cookies.set("newcomer", await sessionCookie(token));
});

test("every route of the table has a row here, and every row a route", () => {
  expect(table.map((route) => route.path).sort()).toEqual([...rows.keys()].sort());
});

test.each(table)("$path has the handlers that its row says", async ({ path, file }) => {
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

    test.each([...handlers])("%s: only the portal's own, approved", async (handler) => {
      const lines = await db().$count(auditEntries);
      const visited = await call(file, { path, handler });
      expect([visited.status, visited.location?.split("?")[0]]).toEqual([302, `/${portal}/login`]);
      const newcomer = await call(file, { path, handler, as: "newcomer" });
      expect([newcomer.status, newcomer.location]).toEqual([302, `/register?type=${portal}`]);
      const wrong = await call(file, { path, handler, as: other });
      expect([wrong.status, wrong.body]).toEqual([403, `Access denied. This portal is for ${portal}s only.`]);
      const waiting = await call(file, { path, handler, as: unapproved });
      expect([waiting.status, waiting.body]).toEqual([
        403,
        "Your account is pending approval. Please contact support.",
      ]);
      if (path.includes(":id")) expect((await call(file, { path, handler, as: neighbour })).status).toBe(404);
      expect(await db().$count(auditEntries)).toBe(lines);

      const granted = await call(file, { path, handler, as: own });
      expect([401, 403, 404]).not.toContain(granted.status);
      expect(granted.status).toBeLessThan(500);
      expect(granted.location ?? "").not.toMatch(/login|register/);
    });
  },
);

describe.each(portalRoutes.filter((route) => route.kind.endsWith("test mode")))(
  "$path",
  ({ path, file, portal, handlers }) => {
    const foreign = portal === "advertiser" ? "brightside" : "fern";

    test.each([...handlers])("%s: the demo tenant's, whoever looks; links stay inside", async (handler) => {
      for (const as of [undefined, "newcomer", foreign, "cobblestone"]) {
        const answer = await call(file, { path, handler, as });
        expect([401, 403, 404], `${as}`).not.toContain(answer.status);
        expect(answer.status).toBeLessThan(500);
        // The sandbox's pages are no portal's.
        if (answer.location?.startsWith("/dev/payments/")) continue;
        if (answer.location) expect(answer.location).toContain(`/${portal}/test-mode`);
      }
    });
  },
);

async function call(file: string, { path, handler, as }: { path: string; handler: "loader" | "action"; as?: string }) {
  const module = await moduleOf(file);
  const run = module[handler];
  if (typeof run !== "function") throw new Error(`${file} has no ${handler}`);
  const id = await idFor(path);
  const address = path
    .replace(/\/index$/, "")
    .replace(":id", id)
    .replace(":upload", upload)
    .replace(":program", "klaviyo")
    .replace(":kind", "campaign-created");
  const request = new Request(new URL(address, process.env.PUBLIC_URL), {
    method: handler === "action" ? "POST" : "GET",
    headers: { Cookie: (as && cookies.get(as)) ?? "" },
    body: handler === "action" ? new URLSearchParams({ intent: "pause", campaign: campaignId, id }) : undefined,
  });
  const context = { nonce: "nonce", requestId: "request", clientAddress: "192.0.2.1" };
  const args: LoaderFunctionArgs & ActionFunctionArgs = {
    request,
    context,
    params: { id, upload, plan: "starter", program: "klaviyo", kind: "campaign-created" },
  };
  return answerOf(() => run(args));
}

/** A product or creative is a new one each time: some are deleted. */
async function idFor(path: string): Promise<string> {
  if (path.includes("/audiences/")) return world.audience("hikers");
  const own = path.startsWith("/advertiser") ? "northwind" : "harbor";
  const accountId = world.accountId(own);
  if (path.includes("/payouts/")) return aPayout(accountId);
  if (path.includes("/invoices/")) return insertInvoice(db(), accountId);
  if (path.includes("/creatives/")) return insertCreative(db(), accountId);
  if (path.includes("/top-ups/")) return topUp;
  if (path.includes("/subscription/")) return planPayment;
  if (path.includes("/webhooks/")) return aWebhook(accountId);
  if (path.includes("/payment-methods/")) return aMethod(accountId);
  if (!path.includes("/products/")) return campaignId;
  if (path.includes("/imports/")) return (await reserveImport(world[own], { key: undefined })).id;
  if (path.includes("/stores/")) return aStore(accountId);
  const id = newId<ProductId>();
  const row = { id, accountId, name: "Kettle", sku: id, category: "Kitchen", priceCents: 4_990 };
  await db().insert(products).values(row);
  return id;
}

async function aPayout(publisherId: AccountId): Promise<string> {
  const id = newId<PayoutId>();
  const to = { provider: "sandbox", token: "bank_closed", bank: "Sandbox Bank", lastFour: "0116" } as const;
  const ended = { status: "failed", failure: "Closed.", createdAt: new Date(), endedAt: new Date() } as const;
  await db()
    .insert(payouts)
    .values({ id, publisherId, amountCents: 5_000, ...to, ...ended });
  return id;
}

async function aMethod(accountId: AccountId): Promise<PaymentMethodId> {
  const id = newId<PaymentMethodId>();
  const card = { brand: "Visa", lastFour: "4242", expiresMonth: 12, expiresYear: 2034, token: Buffer.of(0) };
  const row = { id, accountId, provider: "sandbox", type: "card", isDefault: false, ...card } as const;
  await db().insert(paymentMethods).values(row);
  return id;
}

async function aWebhook(accountId: AccountId): Promise<string> {
  const id = newId<WebhookId>();
  const row = { id, accountId, url: "https://example.com/", events: ["payout.paid" as const], secret: Buffer.of(0) };
  await db().insert(webhooks).values(row);
  return id;
}

async function aStore(accountId: AccountId): Promise<string> {
  const id = newId<StoreId>();
  const shop = {
    kind: "shopify",
    shopUrl: `https://${id}.example.com`,
    name: "A shop",
    credential: Buffer.of(0),
  } as const;
  await db()
    .insert(productStores)
    .values({ id, accountId, ...shop, checkedAt: new Date() });
  return id;
}

async function moduleOf(file: string): Promise<Record<string, unknown>> {
  return import(resolve(import.meta.dirname, "../../app", file));
}

function portalOf(kind: Kind): "advertiser" | "publisher" {
  return kind.startsWith("advertiser") ? "advertiser" : "publisher";
}

import { resolve } from "node:path";
import type { ActionFunctionArgs, LoaderFunctionArgs } from "@remix-run/node";
import type { RouteConfigEntry } from "@remix-run/route-config";
import { eq } from "drizzle-orm";
import { startSession } from "#app/domain/accounts/sign-in/start-session.server.ts";
import { unrecognizedLayout } from "#app/domain/audiences/files/column-layout.ts";
import { reserveUpload } from "#app/domain/audiences/uploads/reserve-upload.server.ts";
import { addPaymentMethod } from "#app/domain/billing/payment-methods/add-payment-method.server.ts";
import { changePlan } from "#app/domain/billing/subscription/change-plan.server.ts";
import { topUpWallet } from "#app/domain/billing/wallet/top-up-wallet.server.ts";
import { parseCalendarDate } from "#app/domain/calendar-date.ts";
import { managedCampaignSchema } from "#app/domain/campaigns/campaign-payloads.ts";
import { createManagedCampaign } from "#app/domain/campaigns/managed/create-managed-campaign.server.ts";
import {
  type AccountId,
  type ImportId,
  newId,
  type PaymentMethodId,
  type PayoutId,
  type ProductId,
  parseId,
  type ReportScheduleId,
  type ReportSendingId,
  type SavedViewId,
  type StoreId,
  type WebhookId,
} from "#app/domain/ids.ts";
import { asCents } from "#app/domain/money.ts";
import type { SavedViewMode } from "#app/domain/saved-views/saved-view.ts";
import routes from "#app/routes.ts";
import type { Database } from "#db/client.server.ts";
import {
  audienceUploads,
  paymentMethods,
  payouts,
  productImports,
  productStores,
  products,
  reportSchedules,
  reportSendings,
  savedViews,
  webhooks,
} from "#db/schema/index.ts";
import { type DemoTenant, demoAccountId, demoUserId } from "#db/seed/demo-accounts.ts";
import { newUser, visitor } from "#tests/domain/accounts/people.ts";
import { sessionCookie } from "#tests/support/cookies.ts";
import { insertCreative } from "#tests/support/creatives.ts";
import { insertInvoice } from "#tests/support/insert-invoice.ts";
import { captureResponse } from "#tests/support/route-client.ts";
import { createWorld } from "#tests/support/world.ts";

/** The table's routes by their whole path; an index route under its parent's path and `/index`. */
function listRoutes(entries: RouteConfigEntry[], parent = ""): { path: string; file: string; id: string }[] {
  return entries.flatMap((entry) => {
    const path = `${parent}/${entry.index && parent ? "index" : (entry.path ?? "")}`;
    const id = entry.id ?? entry.file.replace(/\.tsx?$/, "");
    return [{ path, file: entry.file, id }, ...listRoutes(entry.children ?? [], path)];
  });
}

export const routeTable = listRoutes(await routes);
/** A body of any type in place of the usual form. */
type Body = { type: string; bytes: Uint8Array<ArrayBuffer> };
type Visit = {
  path: string;
  handler: "loader" | "action";
  as?: string;
  body?: Body;
  /** Receives the request before its handler does. */
  before?: (request: Request) => void;
};

export type RouteVisits = Awaited<ReturnType<typeof makeRouteVisits>>;

/** Inserts rows for every route and users of every type; `call` runs a route's loader or action. */
export async function makeRouteVisits(db: Database) {
  const world = await createWorld(db);
  const campaignId = await world.aRunningCampaign();
  const managed = managedCampaignSchema.parse({ ...world.complete(), advertiser_id: world.accountId("northwind") });
  const managedId = (await createManagedCampaign(world.harbor, managed)).id;
  const own = { audienceId: world.audience("hikers"), mode: "add", key: undefined } as const;
  const upload = (await reserveUpload(world.harbor, own)).id;
  const layout = unrecognizedLayout(["Contact", "Notes"]);
  const file = { name: "people.csv", bytes: 0, format: "refused", rows: 0, layout };
  await db
    .update(audienceUploads)
    .set({ files: [file] })
    .where(eq(audienceUploads.id, upload));
  const { id: method } = await addPaymentMethod(world.northwind, { token: "tok_confirmation" });
  const wanted = { amount: asCents(5_000), payment_method_id: method, key: newId() };
  const topUp = (await topUpWallet(world.northwind, { ...wanted, returnPath: () => "/" })).id;
  await addPaymentMethod(world.harbor, { token: "tok_confirmation" });
  await world.subscribe("harbor", "starter");
  const planPayment = (
    await changePlan(world.harbor, { planType: "professional", key: newId(), returnPath: () => "/" })
  ).id;
  const cookies = new Map<string, string>();
  for (const who of ["northwind", "brightside", "harbor", "fern", "larkspur", "cobblestone"] as const) {
    cookies.set(who, await world.cookieOf(who));
  }
  const { token } = await startSession(visitor(), { userId: await newUser(), userAgent: null, replaces: undefined });
  cookies.set("newcomer", await sessionCookie(token));

  async function call(file: string, { path, handler, as, body, before }: Visit) {
    const module = await moduleOf(file);
    const run = module[handler];
    if (typeof run !== "function") throw new Error(`${file} has no ${handler}`);
    const id = await idFor(path);
    const address = path
      .replace(/\/index$/, "")
      .replace(":id", id)
      .replace(":upload", upload)
      .replace(":sending", id)
      .replace(":integration", "klaviyo")
      .replace(":group", "webhooks")
      .replace(":kind", "campaign-created");
    const request = new Request(new URL(address, process.env.PUBLIC_URL), {
      method: handler === "action" ? "POST" : "GET",
      headers: { Cookie: (as && cookies.get(as)) ?? "", ...(body && { "Content-Type": body.type }) },
      body:
        handler === "action"
          ? (body?.bytes ?? new URLSearchParams({ intent: "pause", campaign: campaignId, id }))
          : undefined,
    });
    before?.(request);
    const context = { nonce: "nonce", requestId: "request", clientAddress: "192.0.2.1" };
    const args: LoaderFunctionArgs & ActionFunctionArgs = {
      request,
      context,
      params: {
        id,
        upload,
        sending: id,
        plan: "starter",
        integration: "klaviyo",
        group: "webhooks",
        kind: "campaign-created",
      },
    };
    return captureResponse(() => run(args));
  }

  /** A product or creative is created each time, because some visits delete it. */
  async function idFor(path: string): Promise<string> {
    if (path.includes("/audiences/")) return world.audience("hikers");
    const own = path.startsWith("/advertiser") ? "northwind" : "harbor";
    const accountId = world.accountId(own);
    if (/^\/publisher\/.*campaigns\/:id\/(edit|budget)$/.test(path)) return managedId;
    if (path.includes("/payouts/")) return aPayout(db, accountId);
    if (path.includes("/invoices/")) return insertInvoice(db, accountId);
    if (path.includes("/creatives/")) return insertCreative(db, accountId);
    if (path.includes("/top-ups/")) return topUp;
    if (path.includes("/subscription/")) return planPayment;
    if (path.includes("/views/")) return aView(db, { own, mode: path.includes("/test-mode/") ? "test" : "live" });
    if (path.includes("/reports/"))
      return aReport(db, { accountId, mode: path.includes("/test-mode/") ? "test" : "live" });
    if (path.includes("/webhooks/")) return aWebhook(db, accountId);
    if (path.includes("/payment-methods/")) return aMethod(db, accountId);
    if (!path.includes("/products/")) return campaignId;
    if (path.includes("/imports/")) return anImport(db, accountId);
    if (path.includes("/stores/")) return aStore(db, accountId);
    const id = newId<ProductId>();
    const row = { id, accountId, name: "Kettle", sku: id, category: "Kitchen", priceCents: 4_990 };
    await db.insert(products).values(row);
    return id;
  }

  return { world, cookies, call, idFor, campaignId, upload };
}

async function aPayout(db: Database, publisherId: AccountId): Promise<string> {
  const id = newId<PayoutId>();
  const to = { provider: "sandbox", token: "bank_closed", bank: "Sandbox Bank", lastFour: "0116" } as const;
  const ended = { status: "failed", failure: "Closed.", createdAt: new Date(), endedAt: new Date() } as const;
  await db.insert(payouts).values({ id, publisherId, amountCents: 5_000, ...to, ...ended });
  return id;
}

/** Inserted as it is, because an account has more of them here than its limit of open ones. */
async function anImport(db: Database, accountId: AccountId): Promise<ImportId> {
  const id = newId<ImportId>();
  await db.insert(productImports).values({ id, accountId, heartbeatAt: new Date() });
  return id;
}

async function aMethod(db: Database, accountId: AccountId): Promise<PaymentMethodId> {
  const id = newId<PaymentMethodId>();
  const card = { brand: "Visa", lastFour: "4242", expiresMonth: 12, expiresYear: 2034, token: Buffer.of(0) };
  const row = { id, accountId, provider: "sandbox", type: "card", isDefault: false, ...card } as const;
  await db.insert(paymentMethods).values(row);
  return id;
}

async function aView(db: Database, { own, mode }: { own: DemoTenant; mode: SavedViewMode }): Promise<string> {
  const id = newId<SavedViewId>();
  const owner = { userId: demoUserId(own), accountId: demoAccountId(own) };
  await db.insert(savedViews).values({ id, ...owner, mode, list: "campaigns", name: id, query: "q=boots" });
  return id;
}

/** A scheduled report that was sent; the sending has the same ID. */
async function aReport(db: Database, { accountId, mode }: { accountId: AccountId; mode: SavedViewMode }) {
  const id = newId<SavedViewId>();
  await db.insert(savedViews).values({ id, accountId, mode, list: "analytics", name: id, query: "group=channel" });
  await db.insert(reportSchedules).values({
    id: newId<ReportScheduleId>(),
    accountId,
    reportId: id,
    frequency: "daily",
    weekday: "monday",
    dayOfMonth: 1,
    hour: 8,
    timeZone: "UTC",
    range: "yesterday",
    format: "csv",
    nextDueAt: new Date(),
  });
  const day = parseCalendarDate("2026-11-19");
  if (!day) throw new Error("2026-11-19 is a day");
  const sendingId = parseId<ReportSendingId>(id);
  if (!sendingId) throw new Error(`${id} is an ID`);
  const sent = { firstDay: day, lastDay: day, query: "group=channel", format: "csv" } as const;
  await db.insert(reportSendings).values({ id: sendingId, accountId, reportId: id, ...sent });
  return id;
}

async function aWebhook(db: Database, accountId: AccountId): Promise<string> {
  const id = newId<WebhookId>();
  const row = { id, accountId, url: "https://example.com/", events: ["payout.paid" as const], secret: Buffer.of(0) };
  await db.insert(webhooks).values(row);
  return id;
}

async function aStore(db: Database, accountId: AccountId): Promise<string> {
  const id = newId<StoreId>();
  const shop = {
    kind: "shopify",
    storeUrl: `https://${id}.example.com`,
    name: "A shop",
    credential: Buffer.of(0),
  } as const;
  await db.insert(productStores).values({ id, accountId, ...shop, checkedAt: new Date() });
  return id;
}

export async function moduleOf(file: string): Promise<Record<string, unknown>> {
  return import(resolve(import.meta.dirname, "../../app", file));
}

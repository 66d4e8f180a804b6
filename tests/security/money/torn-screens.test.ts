import type { LoaderFunctionArgs } from "@remix-run/node";
import { eq, sql } from "drizzle-orm";
import { beforeAll, beforeEach, expect, test, vi } from "vitest";
import { createApiClient, type EndpointInput, type EndpointKey } from "#app/api/client.ts";
import * as apiRoute from "#app/api/route.ts";
import { updateMembers } from "#app/domain/audiences/update-members.server.ts";
import type { PlanType } from "#app/domain/billing/plan.ts";
import type { PlanFunding } from "#app/domain/billing/subscription/plan-funding.ts";
import { countLineItems } from "#app/domain/campaigns/line-items/count-line-items.server.ts";
import { pauseLineItem, resumeLineItem } from "#app/domain/campaigns/line-items/pause-line-item.server.ts";
import { pauseCampaign, resumeCampaign } from "#app/domain/campaigns/pause-campaign.server.ts";
import { reviewCampaign } from "#app/domain/campaigns/review-campaign.server.ts";
import { updateCampaign } from "#app/domain/campaigns/update-campaign.server.ts";
import { createProduct } from "#app/domain/catalog/create-product.server.ts";
import { productSchema } from "#app/domain/catalog/product-payloads.ts";
import {
  type AudienceId,
  type CampaignId,
  type ImportId,
  newId,
  type ReportSendingId,
  type SavedViewId,
  type StoreId,
  type TransactionId,
  type UploadId,
  type WebhookDeliveryId,
  type WebhookId,
} from "#app/domain/ids.ts";
import { createReport } from "#app/domain/reports/create-report.server.ts";
import { inTransaction } from "#app/domain/transaction.server.ts";
import * as campaignPage from "#app/screens/advertiser/campaigns/detail/route.tsx";
import * as advertiserDashboard from "#app/screens/advertiser/dashboard/route.tsx";
import * as audiencePage from "#app/screens/publisher/audiences/detail/route.tsx";
import * as audienceList from "#app/screens/publisher/audiences/list/route.tsx";
import * as approvals from "#app/screens/publisher/campaigns/approval/route.tsx";
import * as lineItemPage from "#app/screens/publisher/campaigns/detail/route.tsx";
import * as reviewPage from "#app/screens/publisher/campaigns/review/route.tsx";
import * as publisherDashboard from "#app/screens/publisher/dashboard/route.tsx";
import * as choosePlan from "#app/screens/publisher/subscription/choose-plan/route.tsx";
import { loadBilling } from "#app/screens/shared/billing/overview/load-billing.server.ts";
import * as creativeList from "#app/screens/shared/creatives/list/route.tsx";
import { loadImport } from "#app/screens/shared/products/import/load-import.server.ts";
import { loadProducts } from "#app/screens/shared/products/list/load-products.server.ts";
import * as selectedProducts from "#app/screens/shared/products/selected/route.tsx";
import * as productUploads from "#app/screens/shared/products/upload/route.tsx";
import * as reportPage from "#app/screens/shared/reports/detail/route.tsx";
import * as reportList from "#app/screens/shared/reports/list/route.tsx";
import * as webhookPage from "#app/screens/shared/webhooks/detail/route.tsx";
import {
  accounts,
  audienceUploads,
  productImportProblems,
  productImports,
  productStores,
  reportSendings,
  savedViews,
  subscriptions,
  transactions,
  webhookDeliveries,
  webhooks,
} from "#db/schema/index.ts";
import { createEmptyAudience } from "#tests/domain/audiences/an-audience.ts";
import { useWorld } from "#tests/routes/publisher/portal.ts";
import { insertCreative } from "#tests/support/creatives.ts";
import { faultTimeoutMs } from "#tests/support/fault-runs.ts";
import { campaignChanges } from "#tests/support/world.ts";
import { commitAfterEachStatementOf, noneTorn, type Read, tornFigures } from "./commit-after-statements.ts";

const world = useWorld({ deadlineMs: faultTimeoutMs });
const cookies: Record<string, string> = {};
const ids = {
  audience: newId<AudienceId>(),
  store: newId<StoreId>(),
  storeImport: newId<ImportId>(),
  webhook: newId<WebhookId>(),
  delivery: newId<WebhookDeliveryId>(),
};
let campaign: CampaignId;
let otherCampaign: CampaignId;
let reviewedCampaign: CampaignId;
let report: SavedViewId;
/** The number of Harbor's active line items while none is paused. */
let active: number;
/** Numbers everything that the changes create. */
let created = 0;

beforeAll(async () => {
  const { db, northwind, clock } = world();
  // The IDs of what is created here are older than those of the changes.
  vi.setSystemTime(clock());
  const { accountId } = northwind.actor;
  await createEmptyAudience(world().harbor, { id: ids.audience });
  const changes = { start_date: world().today() };
  campaign = await world().aRunningCampaign({ changes });
  otherCampaign = await world().aRunningCampaign({ changes });
  reviewedCampaign = await world().aLaunchedCampaign({ changes });
  active = (await countLineItems(world().harbor)).management.active;
  report = (await createReport(world().harbor, { name: "Torn 0", query: "group=channel" })).id;
  const shop = {
    kind: "shopify",
    storeUrl: "https://shop.example.com",
    name: "Shop",
    credential: Buffer.of(0),
  } as const;
  await db.insert(productStores).values({ id: ids.store, accountId, ...shop, checkedAt: clock() });
  const heartbeatAt = clock();
  await db
    .insert(productImports)
    .values({ id: ids.storeImport, accountId, storeId: ids.store, fileName: "Shop", heartbeatAt });
  const url = "https://example.com/hook";
  const secret = Buffer.from("sealed");
  await db.insert(webhooks).values({ id: ids.webhook, accountId, url, events: ["campaign.approved"], secret });
  const delivery = { webhookId: ids.webhook, accountId, event: "campaign.approved", body: "{}" };
  const state = { state: "waiting", nextTryAt: clock() } as const;
  await db.insert(webhookDeliveries).values({ id: ids.delivery, eventId: crypto.randomUUID(), ...delivery, ...state });
});

/** After the world's hook has set the clock, by which a session ends. */
beforeEach(async () => {
  for (const who of ["northwind", "harbor"] as const) cookies[who] ??= await world().cookieOf(who);
  // Both sides' counts begin without a pause.
  if (await isPaused()) await pauseOrResume();
  if (await isLineItemPaused()) await pauseOrResumeLineItem();
});

function argsOf(path: string, params: Record<string, string> = {}): LoaderFunctionArgs {
  const who = path.startsWith("/advertiser") ? "northwind" : "harbor";
  const request = new Request(new URL(path, "http://localhost:3000"), { headers: { Cookie: cookies[who] ?? "" } });
  return { request, params, context: { nonce: "nonce", requestId: "request", clientAddress: "192.0.2.1" } };
}

/** Calls the API as the advertiser. */
function call<Name extends EndpointKey>(name: Name, input: EndpointInput<Name>) {
  const { context } = argsOf("/advertiser");
  const send = (request: Request) => apiRoute.loader({ request, context, params: {} });
  const headers = { Cookie: cookies.northwind ?? "" };
  return createApiClient({ origin: "http://localhost:3000", send, headers })(name, input);
}

function nextNumber(): number {
  created += 1;
  return created;
}

/** An upload of one person as it ends: its people, its version and its result are stored in one transaction. */
async function endUpload(): Promise<void> {
  const member = { email: `person${nextNumber()}@example.com` };
  await inTransaction(world().harbor, async (tx) => {
    const { size } = await updateMembers(tx, { audienceId: ids.audience, add: [member], remove: [] });
    const finished = { mode: "add", status: "succeeded", peopleAdded: 1, size } as const;
    const times = { heartbeatAt: tx.clock(), finishedAt: tx.clock(), createdAt: tx.clock() };
    const of = { audienceId: ids.audience, publisherId: tx.actor.accountId };
    await tx.db.insert(audienceUploads).values({ id: newId<UploadId>(), ...of, ...finished, ...times });
  });
}

async function addProduct(): Promise<void> {
  const sku = `TORN-${nextNumber()}`;
  await createProduct(world().northwind, productSchema.parse({ name: "Torn", sku, category: "Torn", price: "1.00" }));
}

async function addImportProblem(): Promise<void> {
  const { accountId } = world().northwind.actor;
  const problem = {
    importId: ids.storeImport,
    accountId,
    kind: "rejected",
    column: "Price",
    message: "No price",
  } as const;
  await inTransaction(world().northwind, async ({ db }) => {
    const rejected = sql`${productImports.rejected} + 1`;
    const [row] = await db
      .update(productImports)
      .set({ rejected })
      .where(eq(productImports.id, ids.storeImport))
      .returning({ number: productImports.rejected });
    const number = row?.number ?? 0;
    await db.insert(productImportProblems).values({ ...problem, number, row: number });
  });
}

async function attemptDelivery(): Promise<void> {
  const attempts = sql`${webhookDeliveries.attempts} + 1`;
  await world().db.update(webhookDeliveries).set({ attempts }).where(eq(webhookDeliveries.id, ids.delivery));
}

const isPaused = async () => (await world().statusOf(campaign)) === "paused";
const isLineItemPaused = async () =>
  (await world().lineItemStatus(world().harbor, otherCampaign)) === "approved paused";

async function pauseOrResume(): Promise<void> {
  await ((await isPaused()) ? resumeCampaign : pauseCampaign)(world().northwind, { id: campaign });
}

async function pauseOrResumeLineItem(): Promise<void> {
  await ((await isLineItemPaused()) ? resumeLineItem : pauseLineItem)(world().harbor, { id: otherCampaign });
}

/** The publisher approves the campaign, or the advertiser sends its next version. */
async function approveOrChange(): Promise<void> {
  const { northwind, harbor } = world();
  const isPending = (await world().lineItemStatus(harbor, reviewedCampaign)).startsWith("pending");
  if (isPending) return reviewCampaign(harbor, { id: reviewedCampaign, action: "approve" }).then(() => undefined);
  const changes = campaignChanges({ budget: 5_000 + nextNumber() });
  await updateCampaign(northwind, { id: reviewedCampaign, changes, send: true });
}

/** A sending has the number of the report's name. */
async function sendReport(): Promise<void> {
  const { accountId } = world().harbor.actor;
  const number = nextNumber();
  const sent = {
    missed: number,
    query: "",
    format: "csv",
    firstDay: world().today(),
    lastDay: world().today(),
  } as const;
  await inTransaction(world().harbor, async ({ db }) => {
    await db
      .update(savedViews)
      .set({ name: `Torn ${number}` })
      .where(eq(savedViews.id, report));
    await db
      .insert(reportSendings)
      .values({ id: newId<ReportSendingId>(), accountId, reportId: report, createdAt: world().clock(), ...sent });
  });
}

const numberIn = (name: string) => Number(name.replace("Torn ", ""));

/** The plan, what pays for it and the newest transaction change together. */
async function changePlan(): Promise<void> {
  const { accountId } = world().harbor.actor;
  const isLarge = nextNumber() % 2 === 0;
  const [planType, planFundingSource]: [PlanType, PlanFunding] = isLarge
    ? ["enterprise", "earnings"]
    : ["professional", "payment_method"];
  const transaction = {
    type: "subscription",
    status: "failed",
    amountCents: 9_900,
    createdAt: world().clock(),
  } as const;
  await inTransaction(world().harbor, async ({ db }) => {
    await db.update(subscriptions).set({ planType }).where(eq(subscriptions.accountId, accountId));
    await db.update(accounts).set({ planFundingSource }).where(eq(accounts.id, accountId));
    await db
      .insert(transactions)
      .values({ id: newId<TransactionId>(), accountId, description: planType, ...transaction });
  });
}

function billingOf(tab: "overview" | "subscription") {
  return loadBilling(world().harbor, new Request(`http://localhost:3000/publisher/billing?tab=${tab}`));
}

const isOne = (condition: boolean) => (condition ? 1 : 0);

/** Whether the newest change of the history is a pause. */
function pausesIn(history: readonly { action: string; id: string }[]) {
  const changes = history.filter(({ action }) => /\.(paused|resumed)$/.test(action));
  const newest = changes.sort((one, other) => (one.id < other.id ? 1 : -1))[0];
  return isOne(newest?.action.endsWith(".paused") ?? false);
}

const screens: Record<string, { read: Read; commitChanges: () => Promise<unknown> }> = {
  "an audience with its versions and uploads": {
    commitChanges: endUpload,
    read: async () => {
      const args = argsOf(`/publisher/audiences/${ids.audience}?uploads=people`, { id: ids.audience });
      const { audience, versions, uploads } = await audiencePage.loader(args);
      const sizes = versions.map(({ size }) => size);
      return [
        [audience.size, sizes[0] ?? 0, Math.min(sizes.length, 1) * audience.version],
        // The list of uploads has twenty rows.
        [Math.min(audience.size, 20), uploads.length],
      ];
    },
  },
  "a publisher's audiences": {
    commitChanges: () => createEmptyAudience(world().harbor, { name: `Torn ${nextNumber()}` }),
    read: async () => {
      const { page, matching } = await audienceList.loader(argsOf("/publisher/audiences"));
      return [[page.rows.length, matching]];
    },
  },
  "campaigns to approve": {
    commitChanges: () => world().aLaunchedCampaign(),
    read: async () => {
      const { page, counts } = await approvals.loader(argsOf("/publisher/campaigns/approval?status=pending"));
      return [[page.rows.length, counts.pending]];
    },
  },
  "an advertiser's campaign with its history": {
    commitChanges: pauseOrResume,
    read: async () => {
      const found = await campaignPage.loader(argsOf(`/advertiser/campaigns/${campaign}`, { id: campaign }));
      return [[isOne(found.campaign.status === "paused"), pausesIn(found.history)]];
    },
  },
  "a publisher's campaign with its history": {
    commitChanges: pauseOrResumeLineItem,
    read: async () => {
      const path = `/publisher/campaigns/${otherCampaign}`;
      const found = await lineItemPage.loader(argsOf(path, { id: otherCampaign }));
      return [[isOne(found.campaign.status === "paused"), pausesIn(found.history)]];
    },
  },
  "an advertiser's dashboard": {
    commitChanges: pauseOrResume,
    read: async () => {
      const { counts, activity } = await advertiserDashboard.loader(argsOf("/advertiser"));
      return [[counts.paused, pausesIn(activity)]];
    },
  },
  "a publisher's dashboard": {
    commitChanges: pauseOrResumeLineItem,
    read: async () => {
      const { counts, activity } = await publisherDashboard.loader(argsOf("/publisher"));
      return [[active - counts.management.active, pausesIn(activity)]];
    },
  },
  "a campaign to review": {
    commitChanges: approveOrChange,
    read: async () => {
      const path = `/publisher/approval/${reviewedCampaign}`;
      const { campaign: reviewed, decision } = await reviewPage.loader(argsOf(path, { id: reviewedCampaign }));
      return [[isOne(reviewed.approvalStatus !== "pending"), isOne(decision !== undefined)]];
    },
  },
  "a publisher's billing": {
    commitChanges: changePlan,
    read: async () => {
      const billing = await billingOf("overview");
      if (billing.tab !== "overview") throw new Error("billing begins with the overview");
      const { subscription, transactions: recent } = billing;
      return [[isOne(subscription?.planType === "enterprise"), isOne(recent[0]?.description === "enterprise")]];
    },
  },
  "a publisher's subscription": {
    commitChanges: changePlan,
    read: async () => {
      const billing = await billingOf("subscription");
      if (billing.tab !== "subscription") throw new Error("a publisher's billing has its subscription");
      const { subscription, funding } = billing;
      return [[isOne(subscription?.planType === "enterprise"), isOne(funding.payFrom === "earnings")]];
    },
  },
  "the choice of a plan": {
    commitChanges: changePlan,
    read: async () => {
      const path = "/publisher/subscription/enterprise";
      const { quote, funding } = await choosePlan.loader(argsOf(path, { plan: "enterprise" }));
      return [[isOne(quote.kind === "keep"), isOne(funding.payFrom === "earnings")]];
    },
  },
  "a report with its sendings": {
    commitChanges: sendReport,
    read: async () => {
      const found = await reportPage.loader(argsOf(`/publisher/reports/${report}`, { id: report }));
      return [[numberIn(found.report.name), found.sendings[0]?.missed ?? 0]];
    },
  },
  reports: {
    commitChanges: sendReport,
    read: async () => {
      const { reports } = await reportList.loader(argsOf("/publisher/reports"));
      return reports.map(({ name, last }) => [numberIn(name), last?.missed ?? 0]);
    },
  },
  "a catalog": {
    commitChanges: addProduct,
    read: async () => {
      const request = new Request("http://localhost:3000/advertiser/products?q=torn");
      const { page, matching, all, categories } = await loadProducts(world().northwind, request);
      return [
        [page.rows.length, matching],
        [matching, categories.find(({ category }) => category === "Torn")?.products ?? 0],
        [all, categories.reduce((total, { products }) => total + products, 0)],
      ];
    },
  },
  "selected products": {
    commitChanges: addProduct,
    read: async () => {
      const path = "/advertiser/products/selected?q=torn&of=all";
      const found = await selectedProducts.loader(argsOf(path));
      if (!("chosen" in found)) throw new Error("products are selected");
      const { count, first } = found.chosen;
      // The first eight are named.
      return [[Math.min(count, 8), first.length]];
    },
  },
  "an import of products": {
    commitChanges: addImportProblem,
    read: async () => {
      const { shown, problemCount } = await loadImport(world().northwind, ids.storeImport);
      return [[shown.rejected, problemCount]];
    },
  },
  "an import of products as a program gets it": {
    commitChanges: addImportProblem,
    read: async () => {
      const found = await call("GET /api/products/imports/{id}", { params: { id: ids.storeImport } });
      return [[found.body.import.rejected, found.body.import.errors.length]];
    },
  },
  "uploads of products and their stores": {
    commitChanges: addImportProblem,
    read: async () => {
      const { imports, stores } = await productUploads.loader(argsOf("/advertiser/products/upload"));
      return [[imports[0]?.rejected ?? Number.NaN, stores[0]?.last?.rejected ?? Number.NaN]];
    },
  },
  creatives: {
    commitChanges: () => insertCreative(world().db, world().accountId("northwind")),
    read: async () => {
      const { rows, found, stored } = await creativeList.loader(argsOf("/advertiser/creatives"));
      return [[rows.length, found, stored.files]];
    },
  },
  "a webhook and one of its deliveries": {
    commitChanges: attemptDelivery,
    read: async () => {
      const path = `/advertiser/webhooks/${ids.webhook}?delivery=${ids.delivery}`;
      const { rows, opened } = await webhookPage.loader(argsOf(path, { id: ids.webhook }));
      return [[rows[0]?.attempts ?? Number.NaN, opened ? opened.attempts : Number.NaN]];
    },
  },
};

test.each(Object.entries(screens))(
  "%s is of one moment when a change commits after any one of its statements",
  async (_, { read, commitChanges }) => {
    // One change in each read: a second one would take back what a pause or a plan has changed.
    let [nth, sent] = [0, 0];
    const { read: readBesideChange } = commitAfterEachStatementOf(read, async () => {
      sent += 1;
      if (sent === nth) await commitChanges();
    });
    do {
      [nth, sent] = [nth + 1, 0];
      expect(await tornFigures(readBesideChange, 1), `a change after statement ${nth}`).toEqual(noneTorn);
      expect(sent).toBeGreaterThan(1);
    } while (nth < sent);
  },
);

import type { LoaderFunctionArgs } from "@remix-run/node";
import { eq, sql } from "drizzle-orm";
import { beforeAll, beforeEach, expect, test } from "vitest";
import { updateMembers } from "#app/domain/audiences/update-members.server.ts";
import { pauseLineItem, resumeLineItem } from "#app/domain/campaigns/line-items/pause-line-item.server.ts";
import { pauseCampaign, resumeCampaign } from "#app/domain/campaigns/pause-campaign.server.ts";
import { createProduct } from "#app/domain/catalog/create-product.server.ts";
import { productSchema } from "#app/domain/catalog/product-payloads.ts";
import {
  type AudienceId,
  type CampaignId,
  type ImportId,
  newId,
  type StoreId,
  type UploadId,
  type WebhookDeliveryId,
  type WebhookId,
} from "#app/domain/ids.ts";
import { inTransaction } from "#app/domain/transaction.server.ts";
import * as campaignPage from "#app/screens/advertiser/campaigns/detail/route.tsx";
import * as audiencePage from "#app/screens/publisher/audiences/detail/route.tsx";
import * as audienceList from "#app/screens/publisher/audiences/list/route.tsx";
import * as approvals from "#app/screens/publisher/campaigns/approval/route.tsx";
import * as lineItemPage from "#app/screens/publisher/campaigns/detail/route.tsx";
import * as creativeList from "#app/screens/shared/creatives/list/route.tsx";
import { loadImport } from "#app/screens/shared/products/import/load-import.server.ts";
import { loadProducts } from "#app/screens/shared/products/list/load-products.server.ts";
import * as selectedProducts from "#app/screens/shared/products/selected/route.tsx";
import * as productUploads from "#app/screens/shared/products/upload/route.tsx";
import * as webhookPage from "#app/screens/shared/webhooks/detail/route.tsx";
import {
  audienceUploads,
  productImportProblems,
  productImports,
  productStores,
  webhookDeliveries,
  webhooks,
} from "#db/schema/index.ts";
import { createEmptyAudience } from "#tests/domain/audiences/an-audience.ts";
import { useWorld } from "#tests/routes/publisher/portal.ts";
import { insertCreative } from "#tests/support/creatives.ts";
import { faultTimeoutMs } from "#tests/support/fault-runs.ts";
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
/** Numbers everything that the changes create. */
let created = 0;

beforeAll(async () => {
  const { db, northwind, clock } = world();
  const { accountId } = northwind.actor;
  await createEmptyAudience(world().harbor, { id: ids.audience });
  const changes = { start_date: world().today() };
  campaign = await world().aRunningCampaign({ changes });
  otherCampaign = await world().aRunningCampaign({ changes });
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
});

function argsOf(path: string, params: Record<string, string> = {}): LoaderFunctionArgs {
  const who = path.startsWith("/advertiser") ? "northwind" : "harbor";
  const request = new Request(new URL(path, "http://localhost:3000"), { headers: { Cookie: cookies[who] ?? "" } });
  return { request, params, context: { nonce: "nonce", requestId: "request", clientAddress: "192.0.2.1" } };
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

async function pauseOrResume(): Promise<void> {
  const isPaused = (await world().statusOf(campaign)) === "paused";
  await (isPaused ? resumeCampaign : pauseCampaign)(world().northwind, { id: campaign });
}

async function pauseOrResumeLineItem(): Promise<void> {
  const isPaused = (await world().lineItemStatus(world().harbor, otherCampaign)) === "approved paused";
  await (isPaused ? resumeLineItem : pauseLineItem)(world().harbor, { id: otherCampaign });
}

const isOne = (condition: boolean) => (condition ? 1 : 0);

/** Whether the status is that of a paused campaign, and whether the newest change of the history is a pause. */
function pausesOf(status: string, history: readonly { action: string; id: string }[]) {
  const changes = history.filter(({ action }) => /\.(paused|resumed)$/.test(action));
  const newest = changes.sort((one, other) => (one.id < other.id ? 1 : -1))[0];
  return [isOne(status === "paused"), isOne(newest?.action.endsWith(".paused") ?? false)];
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
      return [pausesOf(found.campaign.status, found.history)];
    },
  },
  "a publisher's campaign with its history": {
    commitChanges: pauseOrResumeLineItem,
    read: async () => {
      const path = `/publisher/campaigns/${otherCampaign}`;
      const found = await lineItemPage.loader(argsOf(path, { id: otherCampaign }));
      return [pausesOf(found.campaign.status, found.history)];
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
  "%s is of one moment when changes commit between any two of its statements",
  async (_, { read, commitChanges }) => {
    const commits = commitAfterEachStatementOf(read, commitChanges);
    expect(await tornFigures(commits.read, 1)).toEqual(noneTorn);
    expect(commits.count()).toBeGreaterThan(0);
  },
);

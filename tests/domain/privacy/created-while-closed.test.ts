import { eq, sql } from "drizzle-orm";
import { beforeAll, describe, expect, test } from "vitest";
import { z } from "zod";
import { profileSchema } from "#app/domain/accounts/account-payloads.ts";
import { registerAccount } from "#app/domain/accounts/register-account.server.ts";
import { signInUser } from "#app/domain/accounts/sign-in/sign-in-user.server.ts";
import { updateProfile } from "#app/domain/accounts/update-profile.server.ts";
import { createApiKey } from "#app/domain/api-keys/create-api-key.server.ts";
import { archiveAudience } from "#app/domain/audiences/archive-audience.server.ts";
import { audienceSchema } from "#app/domain/audiences/audience-payloads.ts";
import { createAudience } from "#app/domain/audiences/create-audience.server.ts";
import { saveIntegration } from "#app/domain/audiences/integrations/connect-integration.server.ts";
import { restoreAudience } from "#app/domain/audiences/restore-audience.server.ts";
import { saveColumnMapping } from "#app/domain/audiences/uploads/column-mappings.server.ts";
import { reserveUpload } from "#app/domain/audiences/uploads/reserve-upload.server.ts";
import { addPaymentMethod } from "#app/domain/billing/payment-methods/add-payment-method.server.ts";
import { startPaymentMethodSetup } from "#app/domain/billing/payment-methods/start-payment-method-setup.server.ts";
import { saveConnectedAccount } from "#app/domain/billing/payouts/connected-accounts.server.ts";
import { setPayoutAccount } from "#app/domain/billing/payouts/payout-account.server.ts";
import { changePlan } from "#app/domain/billing/subscription/change-plan.server.ts";
import { topUpWallet } from "#app/domain/billing/wallet/top-up-wallet.server.ts";
import { createCampaign } from "#app/domain/campaigns/create-campaign.server.ts";
import { duplicateCampaign } from "#app/domain/campaigns/duplicate-campaign.server.ts";
import { reviewCampaign } from "#app/domain/campaigns/review-campaign.server.ts";
import { createProduct } from "#app/domain/catalog/create-product.server.ts";
import { defaultImportSettings } from "#app/domain/catalog/imports/catalog-import.ts";
import { remapImport } from "#app/domain/catalog/imports/remap-import.server.ts";
import { reserveImport } from "#app/domain/catalog/imports/reserve-import.server.ts";
import { productSchema } from "#app/domain/catalog/product-payloads.ts";
import { saveStore } from "#app/domain/catalog/stores/connect-store.server.ts";
import { syncStore } from "#app/domain/catalog/stores/sync-store.server.ts";
import type { AdvertiserActor, Ctx, PublisherActor, TenantActor } from "#app/domain/context.ts";
import { type ImportId, newId, type UserId } from "#app/domain/ids.ts";
import { asCents } from "#app/domain/money.ts";
import { requestErasure } from "#app/domain/privacy/request-erasure.server.ts";
import { runDueErasures } from "#app/domain/privacy/run-due-erasures.server.ts";
import { createReport } from "#app/domain/reports/create-report.server.ts";
import { reportScheduleSchema } from "#app/domain/reports/report-payloads.ts";
import { scheduleReport } from "#app/domain/reports/schedule-report.server.ts";
import { sendReportNow } from "#app/domain/reports/send-report-now.server.ts";
import { saveView } from "#app/domain/saved-views/save-view.server.ts";
import { createWebhook } from "#app/domain/webhooks/create-webhook.server.ts";
import { testWebhook } from "#app/domain/webhooks/test-webhook.server.ts";
import { queryRows } from "#db/query-rows.server.ts";
import { accounts, campaigns, creatives, productImports } from "#db/schema/index.ts";
import { uploadCreativeFiles } from "#tests/support/creatives.ts";
import { useDatabase } from "#tests/support/database/database.ts";
import { listReferences } from "#tests/support/database/references.ts";
import { waitUntilBlockedOrDone } from "#tests/support/database/wait-for-blocked-sessions.ts";
import { expectDomainError } from "#tests/support/expect-domain-error.ts";
import { makePng } from "#tests/support/media-files.ts";
import { campaignChanges, createWorld, type World } from "#tests/support/world.ts";
import { createEmptyAudience, people, upload } from "../audiences/an-audience.ts";

const db = useDatabase();
let world: World;
let number = 0;
beforeAll(async () => {
  world = await createWorld(db());
});

type Owner<A extends TenantActor> = { ctx: Ctx<A>; userId: UserId; email: string };
/** Creates one thing. `prepare` makes what it needs. */
type Creation<A extends TenantActor> = {
  /** The tables, of those with an account's rows, that it writes to. */
  tables: readonly string[];
  prepare?: (owner: Owner<A>) => Promise<Create<A>>;
  create?: Create<A>;
};
type Create<A extends TenantActor> = (owner: Owner<A>) => Promise<unknown>;

const creations: Record<string, Creation<TenantActor>> = {
  "an API key": { tables: ["api_keys"], create: ({ ctx }) => createApiKey(ctx, { name: "Late" }) },
  "a webhook": { tables: ["webhooks"], create: ({ ctx }) => aWebhook(ctx) },
  "a test of a webhook": {
    tables: ["webhooks"],
    prepare: async ({ ctx }) => {
      const { webhook } = await aWebhook(ctx);
      return () => testWebhook(ctx, webhook);
    },
  },
  "a product": {
    tables: ["products"],
    create: ({ ctx }) =>
      createProduct(ctx, productSchema.parse({ name: "Late", sku: "L-1", category: "Cups", price: 10 })),
  },
  "a store": { tables: ["product_stores"], create: ({ ctx }) => aFeed(ctx) },
  "a sync of a store": {
    tables: ["product_imports"],
    prepare: async ({ ctx }) => {
      const store = await aFeed(ctx);
      return () => syncStore(ctx, store);
    },
  },
  "an import": { tables: ["product_imports"], create: ({ ctx }) => reserveImport(ctx, { key: undefined }) },
  "the columns of an import": {
    tables: ["product_import_column_mappings"],
    prepare: async ({ ctx }) => {
      const id = newId<ImportId>();
      const preview = {
        status: "previewed",
        dialect: "wix",
        heartbeatAt: world.clock(),
        finishedAt: world.clock(),
      } as const;
      const { accountId } = ctx.actor;
      await db()
        .insert(productImports)
        .values({ id, accountId, ...preview, createdAt: world.clock() });
      return () => remapImport(ctx, { id, columns: {}, settings: defaultImportSettings });
    },
  },
  "a creative": { tables: ["creatives"], create: ({ ctx }) => uploadCreativeFiles(ctx, [aBanner()]) },
  "a saved view": {
    tables: ["saved_views"],
    create: ({ ctx, userId }) => saveView(ctx, { userId, list: "products", query: "q=cups", name: "Cups" }),
  },
  "a report": { tables: ["saved_views"], create: ({ ctx }) => createReport(ctx, { name: "Late", query: "" }) },
  "a schedule of a report": {
    tables: ["report_schedules"],
    prepare: async ({ ctx, email }) => {
      const report = await createReport(ctx, { name: "Weekly", query: "" });
      const schedule = { frequency: "weekly", hour: 8, time_zone: "UTC", range: "last_7_days", format: "csv" };
      const input = reportScheduleSchema.parse({ ...schedule, recipients: [email] });
      return () => scheduleReport(ctx, { ...report, ...input });
    },
  },
  "a sending of a report": {
    tables: ["notifications"],
    prepare: async ({ ctx, userId }) => {
      const report = await createReport(ctx, { name: "Weekly", query: "" });
      return () => sendReportNow(ctx, { ...report, userId });
    },
  },
  "a setup of a payment method": {
    tables: ["payment_setups"],
    create: ({ ctx }) => startPaymentMethodSetup(ctx, { returnPath: "/back", cancelPath: "/back" }),
  },
  "a card": { tables: ["payment_methods"], create: ({ ctx }) => aCard(ctx) },
  "a change of the profile": {
    tables: [],
    create: ({ ctx }) => updateProfile(ctx, profileSchema.parse({ company_name: "Late" })),
  },
};

const creationsOfAdvertisers: Record<string, Creation<AdvertiserActor>> = {
  "a draft": { tables: ["campaigns"], create: ({ ctx }) => createCampaign(ctx, campaignChanges({ name: "Late" })) },
  "a copy of a campaign": {
    tables: ["campaigns"],
    prepare: async ({ ctx }) => {
      const id = await world.aLaunchedCampaign({ by: ctx });
      await reviewCampaign(world.harbor, { id, action: "reject" });
      return () => duplicateCampaign(ctx, { id });
    },
  },
  "a top-up": {
    tables: ["top_ups", "transactions"],
    prepare: async ({ ctx }) => {
      const { id: payment_method_id } = await aCard(ctx);
      const input = { amount: asCents(5_000), payment_method_id, key: newId(), returnPath: () => "/back" as const };
      return () => topUpWallet(ctx, input);
    },
  },
};

const creationsOfPublishers: Record<string, Creation<PublisherActor>> = {
  "an audience": {
    tables: ["audiences"],
    create: ({ ctx }) =>
      createAudience(ctx, audienceSchema.parse({ name: "Late", segment: "high-value", data_source: "file" })),
  },
  "an upload": {
    tables: ["audience_uploads"],
    prepare: async ({ ctx }) => {
      const audienceId = await createEmptyAudience(ctx);
      return () => reserveUpload(ctx, { audienceId, mode: "add", key: undefined });
    },
  },
  "a restored audience": {
    tables: [],
    prepare: async ({ ctx }) => {
      const id = await createEmptyAudience(ctx);
      await archiveAudience(ctx, { id });
      return () => restoreAudience(ctx, { id });
    },
  },
  "the columns of an audience file": {
    tables: ["audience_column_mappings"],
    prepare: async ({ ctx }) => {
      const { id: uploadId } = await upload(ctx, { audienceId: await createEmptyAudience(ctx), files: [people(3)] });
      const mapping = { columns: { 0: "email" as const }, phoneCountry: null };
      return () => saveColumnMapping(ctx, { uploadId, file: 0, mapping });
    },
  },
  "an integration": {
    tables: ["audience_connections"],
    prepare: async ({ ctx }) => {
      await createEmptyAudience(ctx, { dataSource: "klaviyo", remoteListId: "L1", remoteListName: "List" });
      return () => saveIntegration(ctx, { integration: "klaviyo", api_key: "pk_late" });
    },
  },
  "a bank account": {
    tables: ["payout_accounts"],
    create: ({ ctx }) => setPayoutAccount(ctx, { token: "bank_sandbox" }),
  },
  "an account at Stripe": {
    tables: ["connected_accounts"],
    create: ({ ctx }) =>
      saveConnectedAccount(ctx, { publisherId: ctx.actor.accountId, reference: "acct_late", instead: undefined }),
  },
  "a plan": {
    tables: ["plan_changes", "transactions"],
    prepare: async ({ ctx }) => {
      await aCard(ctx);
      return () => changePlan(ctx, { planType: "starter", key: newId(), returnPath: () => "/back" });
    },
  },
};

/** The tables with an account's rows that no creation of the lists writes to, and why. */
const otherTables: Record<string, string> = {
  users: "a person who joins an account locks it when registering; see erasures.test.ts",
  erasures: "the requests to close it",
  line_items: "a launch; see erasures.test.ts",
  reach_questions: "counts questions toward a budget for a day",
  subscriptions: "follows from a change of the plan",
  funds_holds: "follows from its balance",
  report_sendings: "follows from its report",
  plan_offsets: "follows from a change of the plan",
  repayments: "an operator records them, for closed accounts too",
  balance_returns: "an operator records them, for closed accounts alone",
  payment_customers: "made before a setup of a payment method, at Stripe only",
  revenue_shares: "settled from delivery, for closed accounts too",
  payouts: "need earnings, and an account with earnings is not closed",
  payout_lines: "belong to a payout",
  invoices: "issued from spend, for closed accounts too",
  ledger_accounts: "the books",
  account_closings: "the books",
  account_days: "sums of delivery, for closed accounts too",
  account_audience_days: "sums of delivery, for closed accounts too",
  unsettled_spend: "sums of delivery, for closed accounts too",
};

function aWebhook(ctx: Ctx<TenantActor>) {
  return createWebhook(ctx, { url: "https://hooks.example.com/late", events: ["campaign.approved"] });
}

function aFeed(ctx: Ctx<TenantActor>) {
  const url = "https://shop.example/feed.xml";
  const settings = { frequency: "daily", derive_sku: false, default_category: null } as const;
  return saveStore(ctx, {
    store: { kind: "feed", store_url: url, ...settings },
    credential: { kind: "feed", url },
    name: "shop.example",
  });
}

function aCard(ctx: Ctx<TenantActor>) {
  return addPaymentMethod(ctx, { token: "tok_visa" });
}

function aBanner() {
  number += 1;
  return { name: "late.png", bytes: makePng({ seed: number }) };
}

const noEstimates = { business_vertical: null, monthly_budget: null, monthly_visitors: null, monthly_pageviews: null };

/** Registers a company of one person. */
async function newCompany(user_type: TenantActor["kind"]) {
  number += 1;
  const email = `late${number}@late.example`;
  const profile = { subject: `late-${number}`, name: "Lee Late", picture: undefined, email, emailVerified: true };
  const { userId } = await signInUser({ ...world.job }, profile);
  const visitor = { ...world.job, actor: { kind: "user", userId } as const, entrypoint: "screen" as const };
  const registration = { user_type, company_name: "Late", website: null, ...noEstimates };
  const { accountId } = await registerAccount(visitor, { registration, approval: "auto" });
  return { visitor, userId, email, accountId };
}

async function anAdvertiser(): Promise<Owner<AdvertiserActor>> {
  const { visitor, userId, email, accountId } = await newCompany("advertiser");
  return { ctx: { ...visitor, actor: { kind: "advertiser", accountId, userId } }, userId, email };
}

async function aPublisher(): Promise<Owner<PublisherActor>> {
  const { visitor, userId, email, accountId } = await newCompany("publisher");
  return { ctx: { ...visitor, actor: { kind: "publisher", accountId, userId } }, userId, email };
}

const run = () => runDueErasures(world.job);
const requestClosing = ({ userId }: { userId: UserId }) =>
  requestErasure(
    { ...world.job, actor: { kind: "operator", name: "Jo" }, entrypoint: "command" },
    { userId, isImmediate: true },
  );

const countRow = z.object({ count: z.number() });

async function countRowsOf({ ctx }: Owner<TenantActor>): Promise<Record<string, number>> {
  const counts: Record<string, number> = {};
  for (const { name, columnName } of await listReferences(db(), "accounts")) {
    if (name === "erasures") continue;
    const where = sql`${sql.identifier(columnName)} = ${ctx.actor.accountId}`;
    const query = sql`select count(*)::int as count from ${sql.identifier(name)} where ${where}`;
    const [row] = await queryRows(db(), countRow, query);
    counts[`${name}.${columnName}`] = row?.count ?? 0;
  }
  return counts;
}

async function closedAtOf({ db }: Pick<Ctx, "db">, { ctx }: Owner<TenantActor>): Promise<Date | null | undefined> {
  const [account] = await db.select().from(accounts).where(eq(accounts.id, ctx.actor.accountId));
  return account?.closedAt;
}

/** Creates it once the account is locked by its closing, which deletes the account's rows while the creation waits. */
async function createWhileClosing<A extends TenantActor>(owner: Owner<A>, { prepare, create }: Creation<A>) {
  const createLate = (await prepare?.(owner)) ?? create ?? expect.fail("nothing to create");
  const before = await countRowsOf(owner);
  await requestClosing(owner);
  const { accountId } = owner.ctx.actor;
  let late: Promise<unknown> | undefined;
  await db().transaction(async (tx) => {
    await tx.execute(sql`select from audiences where publisher_id = ${accountId} order by id for update`);
    await tx.execute(sql`select from accounts where id = ${accountId} for update`);
    late = createLate(owner);
    await waitUntilBlockedOrDone(db(), late);
    // Fails in a deadlock with a creation that locks in another order.
    await runDueErasures({ ...world.job, db: tx });
    expect(await closedAtOf({ db: tx }, owner)).toEqual(world.clock());
  });
  await expectDomainError(late ?? expect.fail("not begun"), "invalid_transition", /account is closed|Archived/);
  const after = await countRowsOf(owner);
  const grown = Object.keys(after).filter((name) => (after[name] ?? 0) > (before[name] ?? 0));
  expect(grown).toEqual([]);
}

describe("while an advertiser's account is closed", () => {
  const all: [string, Creation<AdvertiserActor>][] = Object.entries({ ...creations, ...creationsOfAdvertisers });
  test.each(all)("%s is rejected", async (_name, one) => createWhileClosing(await anAdvertiser(), one));
});

describe("while a publisher's account is closed", () => {
  const all: [string, Creation<PublisherActor>][] = Object.entries({ ...creations, ...creationsOfPublishers });
  test.each(all)("%s is rejected", async (_name, one) => createWhileClosing(await aPublisher(), one));
});

test("the lists have every table with an account's rows", async () => {
  const listed = [creations, creationsOfAdvertisers, creationsOfPublishers].flatMap((list) => Object.values(list));
  const known = new Set([...listed.flatMap(({ tables }) => tables), ...Object.keys(otherTables)]);
  const unknown = (await listReferences(db(), "accounts")).map(({ name }) => name).filter((name) => !known.has(name));
  expect(unknown).toEqual([]);
});

test.each<[string, Create<AdvertiserActor>]>([
  ["a draft", ({ ctx }) => createCampaign(ctx, campaignChanges({ name: "Late" }))],
  ["a creative", ({ ctx }) => uploadCreativeFiles(ctx, [aBanner()])],
])("%s that is created before its account is locked is removed before it is closed", async (_name, create) => {
  const owner = await anAdvertiser();
  const { accountId } = owner.ctx.actor;
  await requestClosing(owner);
  let closed: Promise<number> | undefined;
  await db().transaction(async (tx) => {
    await create({ ...owner, ctx: { ...owner.ctx, db: tx } });
    closed = run();
    await waitUntilBlockedOrDone(db(), closed);
  });
  await closed;
  expect(await closedAtOf({ db: db() }, owner)).toBeNull();
  await run();
  expect(await closedAtOf({ db: db() }, owner)).toEqual(world.clock());
  expect(await db().$count(campaigns, eq(campaigns.advertiserId, accountId))).toBe(0);
  expect(await db().$count(creatives, eq(creatives.accountId, accountId))).toBe(0);
});

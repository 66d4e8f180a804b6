import { and, eq, isNull, sql } from "drizzle-orm";
import { beforeAll, describe, expect, test, vi } from "vitest";
import { z } from "zod";
import { approveAccount } from "#app/domain/accounts/approve-account.server.ts";
import { registerAccount } from "#app/domain/accounts/register-account.server.ts";
import { signInUser } from "#app/domain/accounts/sign-in/sign-in-user.server.ts";
import { startSession } from "#app/domain/accounts/sign-in/start-session.server.ts";
import { suspendAccount } from "#app/domain/accounts/suspend-account.server.ts";
import { createApiKey } from "#app/domain/api-keys/create-api-key.server.ts";
import { saveIntegration } from "#app/domain/audiences/integrations/connect-integration.server.ts";
import { failUpload } from "#app/domain/audiences/uploads/fail-upload.server.ts";
import { addPaymentMethod } from "#app/domain/billing/payment-methods/add-payment-method.server.ts";
import { settleDelivery } from "#app/domain/billing/settle-delivery.server.ts";
import { finishDueTopUps } from "#app/domain/billing/wallet/finish-due-top-ups.server.ts";
import { setCreditLimit } from "#app/domain/billing/wallet/set-credit-limit.server.ts";
import { topUpWallet } from "#app/domain/billing/wallet/top-up-wallet.server.ts";
import { addDays } from "#app/domain/calendar-date.ts";
import { managedCampaignSchema } from "#app/domain/campaigns/campaign-payloads.ts";
import { lockUsableAudiences } from "#app/domain/campaigns/campaign-rows.server.ts";
import { createCampaign } from "#app/domain/campaigns/create-campaign.server.ts";
import { launchCampaign } from "#app/domain/campaigns/launch-campaign.server.ts";
import { pauseLineItem, resumeLineItem } from "#app/domain/campaigns/line-items/pause-line-item.server.ts";
import { createManagedCampaign } from "#app/domain/campaigns/managed/create-managed-campaign.server.ts";
import { pauseCampaign, resumeCampaign } from "#app/domain/campaigns/pause-campaign.server.ts";
import { reviewCampaign } from "#app/domain/campaigns/review-campaign.server.ts";
import { updateCampaign } from "#app/domain/campaigns/update-campaign.server.ts";
import { createProduct } from "#app/domain/catalog/create-product.server.ts";
import { saveStore } from "#app/domain/catalog/stores/connect-store.server.ts";
import type { AdvertiserActor, Ctx, PublisherActor } from "#app/domain/context.ts";
import {
  type AccountId,
  type AudienceId,
  newId,
  type PayoutId,
  type SubscriptionId,
  type UserId,
  type WebhookId,
} from "#app/domain/ids.ts";
import { asCents } from "#app/domain/money.ts";
import { claimMail, requeueStaleMails } from "#app/domain/notifications/claim-mail.server.ts";
import * as paymentProviders from "#app/domain/payments/active-payment-provider.server.ts";
import { PaymentProviderError } from "#app/domain/payments/payment-provider.ts";
import { cancelErasure } from "#app/domain/privacy/cancel-erasure.server.ts";
import { copyPersonalData } from "#app/domain/privacy/copy-personal-data.server.ts";
import { findErasure } from "#app/domain/privacy/find-erasure.server.ts";
import { purgePersonalData } from "#app/domain/privacy/purge-personal-data.server.ts";
import { requestErasure } from "#app/domain/privacy/request-erasure.server.ts";
import { retentionDefaults } from "#app/domain/privacy/retention.ts";
import { runDueErasures } from "#app/domain/privacy/run-due-erasures.server.ts";
import { createReport } from "#app/domain/reports/create-report.server.ts";
import { reportScheduleSchema } from "#app/domain/reports/report-payloads.ts";
import { scheduleReport } from "#app/domain/reports/schedule-report.server.ts";
import { pgArray, queryRows } from "#db/query-rows.server.ts";
import {
  accounts,
  apiKeys,
  audiences,
  campaigns,
  erasures,
  mailSuppressions,
  mails,
  notifications,
  paymentMethods,
  payouts,
  sessions,
  subscriptions,
  users,
  webhooks,
} from "#db/schema/index.ts";
import { demoUserId } from "#db/seed/demo-accounts.ts";
import { useDatabase } from "#tests/support/database/database.ts";
import { findBrokenInvariants } from "#tests/support/database/invariants.ts";
import { waitUntilBlockedOrDone } from "#tests/support/database/wait-for-blocked-sessions.ts";
import { domainErrorFrom, expectDomainError } from "#tests/support/expect-domain-error.ts";
import { campaignChanges, createWorld, type World } from "#tests/support/world.ts";
import { beginUpload, createEmptyAudience, createFilePart, people, upload } from "../audiences/an-audience.ts";
import { audienceOfPeople } from "../audiences/audience-of-hashes.ts";

const db = useDatabase();
let world: World;
let number = 0;
beforeAll(async () => {
  world = await createWorld(db());
});

const noEstimates = { business_vertical: null, monthly_budget: null, monthly_visitors: null, monthly_pageviews: null };
const operator = () => ({ ...world.job, actor: { kind: "operator", name: "Jo" }, entrypoint: "command" }) as const;
const run = () => runDueErasures(world.job);

/** A person with words that appear nowhere else in the database. */
async function newPerson() {
  number += 1;
  const words = { email: `Quillon.Vex${number}@vexmail.example`, name: `Quillon Vexworth${number}` };
  const { userId } = await signInUser(
    { ...world.job },
    { subject: `sub-vex-${number}`, emailVerified: true, picture: `https://img.example/vex${number}.png`, ...words },
  );
  return { userId, words: [words.email, words.name, `sub-vex-${number}`, `vex${number}.png`] };
}

/**
 * A publisher of one person with something in every place that an account fills by itself. What uploads leave, such as
 * names of files and columns, only `withUploads`: a thread reads each.
 */
async function aPublisher({ withUploads = false } = {}) {
  const { userId, words } = await newPerson();
  const registration = {
    user_type: "publisher" as const,
    company_name: `Plain Company ${number}`,
    website: `https://vexshop${number}.example`,
    ...noEstimates,
    monthly_visitors: 12_345,
    monthly_pageviews: 54_321,
  };
  const visitor = { ...world.job, actor: { kind: "user", userId } as const, entrypoint: "screen" as const };
  const { accountId } = await registerAccount(visitor, { registration, approval: "auto" });
  const ctx: Ctx<PublisherActor> = { ...visitor, actor: { kind: "publisher", accountId, userId } };
  const { token } = await startSession(
    { ...world.job },
    { userId, userAgent: `VexBrowser/${number}`, replaces: undefined },
  );
  const suppressed = { userId, address: words[0] ?? "", reason: "bounce" as const, suppressedAt: world.clock() };
  await db().insert(mailSuppressions).values(suppressed);
  const { secret } = await createApiKey(ctx, { name: `vexkey${number}` });
  await db()
    .insert(webhooks)
    .values({
      id: newId<WebhookId>(),
      accountId,
      url: `https://hook.vex${number}.example/in`,
      events: ["payout.paid"],
      secret: Buffer.from("sealed"),
      createdBy: userId,
      createdAt: world.clock(),
    });
  await createProduct(ctx, {
    name: `Vexmug ${number}`,
    sku: `VEX-${number}`,
    category: "Cups",
    price: 1_000,
  } as Parameters<typeof createProduct>[1]);
  const feed = `https://vexfeed${number}.example/feed.xml`;
  await saveStore(ctx, {
    store: { kind: "feed", store_url: feed, frequency: "daily", derive_sku: false, default_category: null },
    credential: { kind: "feed", url: feed },
    name: `vexfeed${number}.example`,
  });
  await createReport(ctx, { name: `Vexreport ${number}`, query: "" });
  const list = {
    dataSource: "klaviyo",
    remoteListId: `vexlist${number}`,
    remoteListName: `Vexlist ${number}`,
  } as const;
  await createEmptyAudience(ctx, list);
  await saveIntegration(ctx, { integration: "klaviyo", api_key: "pk_vex" });
  const audience = await audienceOfPeople(ctx, 1_200);
  await db()
    .update(audiences)
    .set({ description: `vexdescription${number}` })
    .where(eq(audiences.id, audience));
  const own = [
    `vexshop${number}`,
    `VexBrowser/${number}`,
    `vexkey${number}`,
    `vexfeed${number}`,
    `Vexreport ${number}`,
    `vexlist${number}`,
    `Vexlist ${number}`,
    `hook.vex${number}`,
    `Vexmug ${number}`,
    `VEX-${number}`,
    `vexdescription${number}`,
    ...(withUploads ? await uploadFiles(ctx, audience) : []),
  ];
  return {
    ctx,
    userId,
    accountId,
    audience,
    token,
    secret,
    words: [...words, ...own],
  };
}

/** Uploads files whose rows, columns and names are reported. Returns their words. */
async function uploadFiles(ctx: Ctx<PublisherActor>, audience: AudienceId): Promise<string[]> {
  await upload(ctx, { audienceId: audience, files: [`${people(10)}\nnot an address`] });
  await upload(ctx, { audienceId: audience, files: [`email,Vexconsent ${number}\na@example.com,perhaps`] });
  const unreadable = createFilePart(`Vexcolumn ${number},Other\na,b`, { name: `vexfile${number}.csv` });
  expect(await upload(ctx, { audienceId: audience, files: [unreadable] })).toMatchObject({ status: "failed" });
  return [`Vexconsent ${number}`, `Vexcolumn ${number}`, `vexfile${number}`, "n***"];
}

/** An advertiser of one person with nothing. */
async function anAdvertiser() {
  const { userId } = await newPerson();
  const visitor = { ...world.job, actor: { kind: "user", userId } as const, entrypoint: "screen" as const };
  const registration = { user_type: "advertiser" as const, company_name: "Plain", website: null, ...noEstimates };
  const { accountId } = await registerAccount(visitor, { registration, approval: "auto" });
  const ctx: Ctx<AdvertiserActor> = { ...visitor, actor: { kind: "advertiser", accountId, userId } };
  return { ctx, userId, accountId };
}

/** A new publisher and a new advertiser with a campaign of the two, launched and in no other account. */
async function aLaunchedCampaign() {
  const publisher = await aPublisher();
  const advertiser = await anAdvertiser();
  const changes = { selected_audiences: [publisher.audience] };
  const id = await world.aLaunchedCampaign({ by: advertiser.ctx, changes });
  return { id, publisher, advertiser };
}

const textRow = z.object({ text: z.string() });

/** Returns each table that has one of the words in any column, with the word. */
async function tablesWith(words: readonly string[]): Promise<string[]> {
  const tables = await queryRows(
    db(),
    textRow,
    sql`select format('%I.%I', schemaname, tablename) as text from pg_tables where schemaname in ('public', 'graphile_worker')`,
  );
  const letters = pgArray(words.map((word) => word.toLowerCase()));
  const found: string[] = [];
  for (const { text: table } of tables) {
    const inTable = await queryRows(
      db.owner(),
      textRow,
      sql`with line as materialized (select lower(one::text) as text from ${sql.raw(table)} one)
        select word as text from unnest(${letters}::text[]) word where exists (select from line where strpos(line.text, word) > 0)`,
    );
    const has = new Set(inTable.map(({ text }) => text));
    const name = table.replace("public.", "");
    found.push(...words.filter((word) => has.has(word.toLowerCase())).map((word) => `${name}: ${word}`));
  }
  return found;
}

const dayMs = 86_400_000;
const inDays = (count: number) => world.setNow(new Date(world.clock().getTime() + count * dayMs).toISOString());

/** Runs `first` in a transaction that is committed, after `then`, once `second` waits for it or is done. */
async function overlap<T>(
  first: (tx: Pick<Ctx, "db">) => Promise<unknown>,
  second: () => Promise<T>,
  then?: (tx: Pick<Ctx, "db">) => Promise<unknown>,
): Promise<T> {
  let done: Promise<T> | undefined;
  await db().transaction(async (tx) => {
    await first({ db: tx });
    done = second();
    await waitUntilBlockedOrDone(db(), done);
    await then?.({ db: tx });
  });
  return done ?? expect.fail("not begun");
}

test("closing an account leaves no word of its person, its audiences and its settings in any table", async () => {
  const { ctx, userId, accountId, audience, words } = await aPublisher({ withUploads: true });
  const { audience: other } = await aPublisher();
  expect((await tablesWith(words)).length).toBeGreaterThan(words.length);
  const { dueAt } = await requestErasure(ctx, { userId });
  expect(dueAt.getTime() - world.clock().getTime()).toBe(7 * dayMs);

  inDays(6.9);
  expect(await run()).toBe(0);
  inDays(0.2);
  const running = await beginUpload(ctx, { audienceId: audience, mode: "add", key: "vexkeyoffile" });
  expect(await run()).toBe(1);
  expect(await run()).toBe(0);
  // The process that was reading the files meets the archived audience.
  const late = { name: "vexlate.csv", bytes: 1, format: "text", rows: 1 };
  await failUpload(ctx, { ...running, message: "The audience was archived", report: { files: [late] } });
  expect(await tablesWith(["vexlate", "vexkeyoffile"])).toEqual([]);
  expect(await db().$count(notifications, eq(notifications.accountId, accountId))).toBe(0);

  // The trail and the upload's own audit entries name files and products; the words of a person are in none of them.
  const left = (await tablesWith(words)).filter(
    (one) => !one.startsWith("audit_entries: ") || /Quillon|sub-vex/.test(one),
  );
  expect(left.filter((one) => !one.endsWith("n***"))).toEqual([]);
  const [account] = await db().select().from(accounts).where(eq(accounts.id, accountId));
  expect(account).toMatchObject({ status: "suspended", website: null, monthlyVisitors: null });
  expect(account?.closedAt).toEqual(world.clock());
  const rowsOf = async (id: string) =>
    (await db().execute(sql`select 1 from audience_blocks where audience_id = ${id}`)).length;
  expect([await rowsOf(audience), (await rowsOf(other)) > 0]).toEqual([0, true]);
  const [emptied] = await db().select().from(audiences).where(eq(audiences.id, audience));
  expect(emptied).toMatchObject({ status: "archived", size: 0, version: 2 });
  expect(await findBrokenInvariants(db())).toEqual({});
});

test("a closed account's status is final, also when it is changed while the account is closed", async () => {
  const find = async (accountId: AccountId) =>
    (await db().select().from(accounts).where(eq(accounts.id, accountId)))[0];
  for (const change of [approveAccount, suspendAccount]) {
    const { ctx, userId, accountId } = await anAdvertiser();
    await requestErasure(ctx, { userId });
    inDays(7);
    const late = overlap(
      (tx) => runDueErasures({ ...world.job, ...tx }),
      () => change(operator(), { accountId }),
    );
    await expectDomainError(late, "invalid_transition", /The account is closed/);
    await expectDomainError(change(operator(), { accountId }), "invalid_transition", /The account is closed/);
    expect(await find(accountId)).toMatchObject({ status: "suspended", closedAt: world.clock() });
  }
});

test("the deeds stay in the trail, without the name", async () => {
  const { ctx, userId } = await aPublisher();
  await requestErasure(ctx, { userId });
  inDays(7);
  await run();
  const entries = await db().execute(
    sql`select action from audit_entries where actor_user_id = ${userId} or entity_id = ${userId} order by id`,
  );
  const actions = entries.map(({ action }) => action);
  expect(actions).toEqual(expect.arrayContaining(["account.registered", "user.erasure_requested", "user.erased"]));
  const [person] = await db().select().from(users).where(eq(users.id, userId));
  expect(person).toMatchObject({ name: "Former user", picture: null, accountId: null });
  inDays(100);
  await purgePersonalData(world.job, { days: retentionDefaults });
  expect(await db().$count(users, eq(users.id, userId))).toBe(1);
});

test("a person of several is erased alone, and signing in again is another person", async () => {
  const { ctx, accountId, userId: colleague } = await aPublisher();
  const { userId, words } = await newPerson();
  await db().update(users).set({ accountId }).where(eq(users.id, userId));
  const own = { ...ctx, actor: { ...ctx.actor, userId } };
  await startSession({ ...world.job }, { userId, userAgent: "Firefox", replaces: undefined });
  await requestErasure(own, { userId });
  inDays(7);
  expect(await run()).toBe(1);
  expect(await tablesWith(words)).toEqual([]);
  expect(await db().$count(sessions, eq(sessions.userId, userId))).toBe(0);
  const [account] = await db().select().from(accounts).where(eq(accounts.id, accountId));
  expect(account).toMatchObject({ status: "approved", closedAt: null });
  expect(await findErasure(ctx, { userId: colleague })).toBeUndefined();
  const again = await signInUser(
    { ...world.job },
    { subject: words[2] ?? "", email: words[0] ?? "", emailVerified: true, name: "Q", picture: undefined },
  );
  expect(again.userId).not.toBe(userId);
});

describe("of two people of an account who both ask", () => {
  async function bothAsk<T extends { ctx: Ctx<AdvertiserActor> | Ctx<PublisherActor>; userId: UserId }>(member: T) {
    const { ctx, userId: first } = member;
    const { userId: second } = await newPerson();
    await db().update(users).set({ accountId: ctx.actor.accountId }).where(eq(users.id, second));
    await requestErasure(ctx, { userId: first });
    inDays(1);
    await requestErasure(operator(), { userId: second });
    const readAccount = async () => {
      const [account] = await db().select().from(accounts).where(eq(accounts.id, ctx.actor.accountId));
      return account ?? expect.fail("no account");
    };
    return { ...member, first, second, readAccount };
  }

  test("the second closes it", async () => {
    const { accountId, readAccount } = await bothAsk(await aPublisher());
    inDays(7);
    expect((await run()) + (await run())).toBe(2);
    expect(await readAccount()).toMatchObject({ status: "suspended", closedAt: world.clock() });
    const keys = await db().select().from(apiKeys).where(eq(apiKeys.accountId, accountId));
    expect(keys.map(({ revokedAt }) => revokedAt)).toEqual([world.clock()]);
    expect(await findBrokenInvariants(db())).toEqual({});
  });

  test("the second waits while the account has a balance", async () => {
    const { ctx, first, second, readAccount } = await bothAsk(await anAdvertiser());
    const card = await addPaymentMethod(ctx, { token: "tok_visa" });
    const payment = { amount: asCents(5_000), payment_method_id: card.id, key: newId() };
    await topUpWallet(ctx, { ...payment, returnPath: () => "/back" as const });
    inDays(7);
    expect((await run()) + (await run())).toBe(1);
    expect(await findErasure(ctx, { userId: first })).toBeUndefined();
    expect(await findErasure(ctx, { userId: second })).toMatchObject({ blockers: ["balance"] });
    expect(await readAccount()).toMatchObject({ status: "approved", closedAt: null });
  });

  test("the second leaves it open for the first, who canceled", async () => {
    const { ctx, first, second, readAccount } = await bothAsk(await aPublisher());
    await cancelErasure(ctx, { userId: first });
    inDays(7);
    expect(await run()).toBe(1);
    expect(await findErasure(ctx, { userId: second })).toBeUndefined();
    expect(await readAccount()).toMatchObject({ status: "approved", closedAt: null });
  });
});

test("an email to an erased person whose process died while it was sent is not sent again", async () => {
  const { ctx, accountId } = await aPublisher();
  const { userId } = await newPerson();
  await db().update(users).set({ accountId }).where(eq(users.id, userId));
  await requestErasure({ ...ctx, actor: { ...ctx.actor, userId } }, { userId });
  const mailOf = async () => (await db().select().from(mails).where(eq(mails.userId, userId)))[0];
  await claimMail(world.job, (await mailOf())?.id ?? expect.fail("no mail"));
  expect((await mailOf())?.state).toBe("sending");
  inDays(7);
  expect(await run()).toBe(1);
  await requeueStaleMails(world.job);
  expect(await mailOf()).toMatchObject({ state: "suppressed", address: "" });
});

describe("an account is not closed before its business has ended", () => {
  const userOf = async (who: Parameters<typeof world.accountId>[0]) => {
    const [row] = await db()
      .select({ id: users.id })
      .from(users)
      .where(eq(users.accountId, world.accountId(who)));
    return row?.id ?? expect.fail("no user");
  };

  test("what is open is named", async () => {
    const campaign = await world.aRunningCampaign({ changes: { start_date: world.today() } });
    await world.deliver(campaign, { day: world.today(), spendMicros: 100_000_000 });
    world.advanceDays(1);
    await settleDelivery(world.job);
    await world.subscribe("harbor", "starter");
    const card = await addPaymentMethod(world.brightside, { token: "tok_visa" });
    const payment = {
      amount: asCents(5_000),
      payment_method_id: card.id,
      key: newId(),
      returnPath: () => "/back" as const,
    };
    await topUpWallet(world.brightside, payment);
    for (const [who, words] of [
      ["northwind", ["Campaigns can still run", "Spend is not settled"]],
      ["harbor", ["Campaigns can still run", "Earnings are not paid out", "Your plan is active"]],
      ["brightside", ["Your wallet has a balance"]],
    ] as const) {
      const refused = await domainErrorFrom(requestErasure(operator(), { userId: await userOf(who) }));
      expect(refused.code).toBe("invalid_transition");
      for (const word of words) expect(refused.message).toContain(word);
    }
  });

  test("a payment that waits for its confirmation is one until it is canceled", async () => {
    const { ctx, userId } = await anAdvertiser();
    await requestErasure(ctx, { userId });
    inDays(7);
    const card = await addPaymentMethod(ctx, { token: "tok_confirmation" });
    const payment = { amount: asCents(5_000), payment_method_id: card.id, key: newId() };
    const asked = await topUpWallet(ctx, { ...payment, returnPath: () => "/back" as const });
    expect(asked).toMatchObject({ status: "needs_confirmation" });
    expect(await run()).toBe(0);
    expect(await findErasure(ctx, { userId })).toMatchObject({ blockers: ["payments"] });
    inDays(1.1);
    expect(await finishDueTopUps(world.job)).toBe(1);
    expect(await run()).toBe(1);
  });

  test("cards are removed at the provider, and drafts deleted, with an advertiser's account", async () => {
    const { ctx, userId, accountId } = await anAdvertiser();
    const card = await addPaymentMethod(ctx, { token: "tok_visa" });
    await createCampaign(ctx, { name: "Vex draft" });
    await requestErasure(ctx, { userId });
    inDays(7);
    expect(await run()).toBe(1);
    const [removed] = await db().select().from(paymentMethods).where(eq(paymentMethods.id, card.id));
    expect(removed?.token).toBeNull();
    expect(await db().$count(campaigns, eq(campaigns.advertiserId, accountId))).toBe(0);
  });

  test("a request that cannot be carried out is reported and waits a day, and later ones are carried out", async () => {
    const advertiser = await anAdvertiser();
    await addPaymentMethod(advertiser.ctx, { token: "tok_visa" });
    const publisher = await aPublisher();
    await requestErasure(advertiser.ctx, advertiser);
    world.setNow(new Date(world.clock().getTime() + 1_000).toISOString());
    await requestErasure(publisher.ctx, publisher);
    inDays(7);
    const { paymentProvider } = paymentProviders;
    const failing = vi.spyOn(paymentProviders, "paymentProvider").mockImplementation((ctx) => ({
      ...paymentProvider(ctx),
      detachMethod: () => Promise.reject(new PaymentProviderError(new Error("revoked key"))),
    }));
    const reported: unknown[] = [];
    const report = (error: unknown, facts: object) => void reported.push([error, facts]);
    const completed = await runDueErasures({ ...world.job, report }).finally(() => failing.mockRestore());
    expect(completed).toBe(1);
    expect(await findErasure(publisher.ctx, publisher)).toBeUndefined();
    const waiting = await findErasure(advertiser.ctx, advertiser);
    expect(waiting?.dueAt.getTime()).toBe(world.clock().getTime() + dayMs);
    expect(reported).toEqual([
      [
        expect.objectContaining({ code: "unavailable" }),
        expect.objectContaining({ work: "erase_person", erasureId: waiting?.id }),
      ],
    ]);
    inDays(1);
    expect(await run()).toBe(1);
    expect(await findErasure(advertiser.ctx, advertiser)).toBeUndefined();
  });

  test("a request that money overtakes waits a day, says why, and is carried out later", async () => {
    const { ctx, userId, accountId } = await aPublisher();
    await requestErasure(ctx, { userId });
    inDays(7);
    const now = world.clock();
    await db()
      .insert(subscriptions)
      .values({
        id: newId<SubscriptionId>(),
        accountId,
        planType: "starter",
        status: "active",
        createdAt: now,
        anchorAt: now,
        periodStartedAt: now,
        periodEndsAt: new Date(now.getTime() + 30 * dayMs),
        dueAt: new Date(now.getTime() + 30 * dayMs),
      });
    expect(await run()).toBe(0);
    const waiting = await findErasure(ctx, { userId });
    expect(waiting?.blockers).toEqual(["plan"]);
    expect(waiting?.dueAt.getTime()).toBe(world.clock().getTime() + dayMs);
    await db()
      .update(subscriptions)
      .set({ status: "canceled", dueAt: null, endedAt: now })
      .where(eq(subscriptions.accountId, accountId));
    inDays(1);
    expect(await run()).toBe(1);
  });
});

describe("a campaign that can still run keeps the accounts of both sides open", () => {
  async function aRunningCampaign() {
    const launched = await aLaunchedCampaign();
    await reviewCampaign(launched.publisher.ctx, { id: launched.id, action: "approve" });
    return launched;
  }

  test("a campaign that only the advertiser paused keeps the publisher's account open", async () => {
    const { id, publisher, advertiser } = await aRunningCampaign();
    const { ctx, userId } = publisher;
    await pauseCampaign(advertiser.ctx, { id });
    await expectDomainError(requestErasure(ctx, { userId }), "invalid_transition", /the advertiser has paused/);
    await pauseLineItem(ctx, { id });
    await requestErasure(ctx, { userId });
    inDays(7);
    expect(await run()).toBe(1);
    await resumeCampaign(advertiser.ctx, { id });
    expect(await world.lineItemStatus(ctx, id)).toBe("approved paused");
    expect(await findBrokenInvariants(db())).toEqual({});
  });

  test("a campaign that only publishers paused keeps the advertiser's account open", async () => {
    const { id, publisher, advertiser } = await aRunningCampaign();
    const { ctx, userId, accountId } = advertiser;
    await setCreditLimit(operator(), { accountId, amount: asCents(100_000) });
    await pauseLineItem(publisher.ctx, { id });
    await expectDomainError(requestErasure(ctx, { userId }), "invalid_transition", /publishers have paused/);
    await pauseCampaign(ctx, { id });
    await requestErasure(ctx, { userId });
    inDays(7);
    expect(await run()).toBe(1);
    const [closed] = await db().select().from(accounts).where(eq(accounts.id, accountId));
    expect(closed).toMatchObject({ status: "suspended", creditLimitCents: 0 });
    await resumeLineItem(publisher.ctx, { id });
    expect(await world.lineItemStatus(publisher.ctx, id)).toBe("approved paused");
    expect(await findBrokenInvariants(db())).toEqual({});
  });

  test("a campaign that nobody decided on keeps both open until its end date has passed", async () => {
    const { id, publisher, advertiser } = await aLaunchedCampaign();
    inDays(10);
    for (const { ctx, userId } of [publisher, advertiser])
      await expectDomainError(requestErasure(ctx, { userId }), "invalid_transition", /review/);
    inDays(1);
    for (const { ctx, userId } of [publisher, advertiser]) await requestErasure(ctx, { userId });
    inDays(7);
    await run();
    for (const { ctx, userId } of [publisher, advertiser]) expect(await findErasure(ctx, { userId })).toBeUndefined();
    await expectDomainError(
      reviewCampaign(publisher.ctx, { id, action: "approve" }),
      "invalid_transition",
      /end date has passed/,
    );
    expect(await findBrokenInvariants(db())).toEqual({});
  });

  test("a campaign that starts again within the seven days makes the request wait", async () => {
    const { id, publisher, advertiser } = await aRunningCampaign();
    await pauseCampaign(advertiser.ctx, { id });
    await pauseLineItem(publisher.ctx, { id });
    for (const { ctx, userId } of [publisher, advertiser]) await requestErasure(ctx, { userId });
    inDays(3);
    await resumeCampaign(advertiser.ctx, { id });
    inDays(4);
    await run();
    // The publisher's own pause is enough for its account; the advertiser's campaign is active again.
    expect(await findErasure(publisher.ctx, publisher)).toBeUndefined();
    expect(await findErasure(advertiser.ctx, advertiser)).toMatchObject({ blockers: ["running_campaigns"] });
    await pauseCampaign(advertiser.ctx, { id });
    inDays(1);
    await run();
    expect(await findErasure(advertiser.ctx, advertiser)).toBeUndefined();
    expect(await findBrokenInvariants(db())).toEqual({});
  });
});

describe("nothing starts for an account while it is closed", () => {
  type Actors = Awaited<ReturnType<typeof aLaunchedCampaign>>;
  type Start = {
    closes: "publisher" | "advertiser";
    prepare: (actors: Actors) => Promise<unknown>;
    start: (actors: Actors, tx: Partial<Pick<Ctx, "db">>) => Promise<unknown>;
  };
  const starts: Record<string, Start> = {
    "a publisher's resumption": {
      closes: "publisher",
      prepare: async ({ id, publisher: { ctx } }) => {
        await reviewCampaign(ctx, { id, action: "approve" });
        await pauseLineItem(ctx, { id });
      },
      start: ({ id, publisher: { ctx } }, tx) => resumeLineItem({ ...ctx, ...tx }, { id }),
    },
    "an advertiser's resumption": {
      closes: "advertiser",
      prepare: async ({ id, publisher, advertiser: { ctx } }) => {
        await reviewCampaign(publisher.ctx, { id, action: "approve" });
        await pauseCampaign(ctx, { id });
      },
      start: ({ id, advertiser: { ctx } }, tx) => resumeCampaign({ ...ctx, ...tx }, { id }),
    },
    "a launch of what was rejected": {
      closes: "advertiser",
      prepare: async ({ id, publisher, advertiser: { ctx } }) => {
        await reviewCampaign(publisher.ctx, { id, action: "reject" });
        await updateCampaign(ctx, { id, changes: campaignChanges({ start_date: addDays(world.today(), 8) }) });
      },
      start: ({ id, advertiser: { ctx } }, tx) => launchCampaign({ ...ctx, ...tx }, { id }),
    },
    "a campaign that a publisher creates for an advertiser": {
      closes: "advertiser",
      prepare: async ({ id, publisher: { ctx }, advertiser: { accountId } }) => {
        await reviewCampaign(ctx, { id, action: "reject" });
        await db().update(accounts).set({ allowsManagedCampaigns: true }).where(eq(accounts.id, accountId));
      },
      start: ({ publisher: { ctx, audience }, advertiser: { accountId } }, tx) => {
        const fields = { ...world.complete(), advertiser_id: accountId, selected_audiences: [audience] };
        return createManagedCampaign({ ...ctx, ...tx }, managedCampaignSchema.parse(fields));
      },
    },
  };

  test("a card that is added while the account is closed is removed before it is closed", async () => {
    const { ctx, userId, accountId } = await anAdvertiser();
    await requestErasure(operator(), { userId, isImmediate: true });
    expect(await overlap((tx) => addPaymentMethod({ ...ctx, ...tx }, { token: "tok_visa" }), run)).toBe(0);
    expect(await run()).toBe(1);
    const cards = await db().select().from(paymentMethods).where(eq(paymentMethods.accountId, accountId));
    expect(cards.map(({ token }) => token)).toEqual([null]);
  });

  test("a publisher's closing does not hold its account while it waits for a launch to its audiences", async () => {
    const { id, publisher, advertiser } = await aLaunchedCampaign();
    const { ctx, userId, accountId, audience } = publisher;
    await reviewCampaign(ctx, { id, action: "reject" });
    await updateCampaign(advertiser.ctx, { id, changes: campaignChanges({ start_date: addDays(world.today(), 8) }) });
    await requestErasure(ctx, { userId });
    inDays(7);
    await overlap(
      (tx) => lockUsableAudiences({ ...advertiser.ctx, ...tx }, { ids: [audience] }),
      run,
      async (tx) => {
        await tx.db.execute(sql`select from accounts where id = ${accountId} for key share nowait`);
        await launchCampaign({ ...advertiser.ctx, ...tx }, { id });
      },
    );
    expect(await findErasure(ctx, { userId })).toMatchObject({ blockers: ["running_campaigns"] });
    expect(await findBrokenInvariants(db())).toEqual({});
  });

  async function requested({ closes, prepare }: Start) {
    const actors = await aLaunchedCampaign();
    await prepare(actors);
    const { ctx, userId } = actors[closes];
    await requestErasure(ctx, { userId });
    inDays(7);
    return { actors, findOpen: () => findErasure(ctx, { userId }) };
  }

  test.each(Object.entries(starts))("%s waits for the closing, and is rejected", async (_name, one) => {
    const { actors, findOpen } = await requested(one);
    const started = overlap(
      (tx) => runDueErasures({ ...world.job, ...tx }),
      () => one.start(actors, {}),
    );
    await expectDomainError(started, "invalid_transition", /account is closed/);
    expect(await findOpen()).toBeUndefined();
    expect(await findBrokenInvariants(db())).toEqual({});
  });

  test.each(Object.entries(starts))("the closing waits for %s, and then waits a day", async (_name, one) => {
    const { actors, findOpen } = await requested(one);
    await overlap((tx) => one.start(actors, tx), run);
    expect(await findOpen()).toMatchObject({ blockers: ["running_campaigns"] });
    expect(await findBrokenInvariants(db())).toEqual({});
  });
});

describe("a person who registers a company while their data is erased", () => {
  const registration = { user_type: "advertiser" as const, company_name: "Late", website: null, ...noEstimates };
  async function aLatePerson() {
    const { userId } = await newPerson();
    await requestErasure(operator(), { userId, isImmediate: true });
    const visitor = { ...world.job, actor: { kind: "user", userId } as const, entrypoint: "screen" as const };
    const before = await db().$count(accounts);
    return {
      register: (tx: Pick<Ctx, "db">) => registerAccount({ ...visitor, ...tx }, { registration, approval: "auto" }),
      countNew: async () => (await db().$count(accounts)) - before,
    };
  }
  test("is rejected once the data is erased", async () => {
    const { register, countNew } = await aLatePerson();
    const late = overlap(
      async (tx) => expect(await runDueErasures({ ...world.job, ...tx })).toBe(1),
      () => register({ db: db() }),
    );
    await expectDomainError(late, "already_registered");
    expect(await countNew()).toBe(0);
  });

  test("is erased with the company", async () => {
    const { register, countNew } = await aLatePerson();
    expect((await overlap(register, run)) + (await run())).toBe(1);
    expect(await countNew()).toBe(1);
    const [account] = await db().select().from(accounts).where(eq(accounts.companyName, "Late"));
    expect(account).toMatchObject({ status: "suspended", closedAt: world.clock() });
  });
});

test("a request is made once, canceled, and made again; of many runs one carries it out", async () => {
  const { ctx, userId, accountId } = await aPublisher();
  const requested = await Promise.all(Array.from({ length: 5 }, () => requestErasure(ctx, { userId })));
  expect(new Set(requested.map(({ dueAt }) => dueAt.getTime())).size).toBe(1);
  expect(await db().$count(erasures, eq(erasures.userId, userId))).toBe(1);
  expect(await cancelErasure(ctx, { userId })).toEqual({ changed: true });
  expect(await cancelErasure(ctx, { userId })).toEqual({ changed: false });
  inDays(8);
  expect(await run()).toBe(0);
  await requestErasure(operator(), { userId, isImmediate: true });
  const counts = await Promise.all([run(), run(), run()]);
  expect(counts.reduce((sum, count) => sum + count)).toBe(1);
  const events = await db().execute(
    sql`select count(*)::int as count from audit_entries where action = 'account.closed' and entity_id = ${accountId}`,
  );
  expect(events[0]?.count).toBe(1);
});

test("a request that is due can no longer be canceled, because parts of the account may be gone", async () => {
  const { ctx, userId } = await aPublisher();
  await requestErasure(ctx, { userId });
  inDays(7);
  await expectDomainError(cancelErasure(ctx, { userId }), "invalid_transition");
  expect(await run()).toBe(1);
  expect(await cancelErasure(operator(), { userId })).toEqual({ changed: false });
});

test("the person is told by mail, with the day, and nobody else's account can ask for it", async () => {
  const { ctx, userId, accountId, words } = await aPublisher();
  const { ctx: stranger } = await aPublisher();
  await expectDomainError(requestErasure(stranger, { userId }), "not_found");
  expect(await cancelErasure(stranger, { userId })).toEqual({ changed: false });
  await requestErasure(ctx, { userId });
  const [mail] = await db()
    .select({ address: mails.address, facts: notifications.facts })
    .from(mails)
    .innerJoin(notifications, eq(notifications.id, mails.notificationId))
    .where(and(eq(notifications.accountId, accountId), eq(notifications.event, "account_closing")));
  expect(mail?.address).toBe(words[0]);
  expect(mail?.facts).toMatchObject({ closesAccount: true, day: expect.stringMatching(/^\d{4}-/) });
});

test("a copy has each of many versions of a campaign once, in pieces of some rows", async () => {
  const id = await world.aRunningCampaign();
  await db.owner().execute(sql`
    insert into campaign_versions select (jsonb_populate_record(one, jsonb_build_object('number', n))).*
    from campaign_versions one cross join generate_series(2, 2101) n where campaign_id = ${id}`);
  const pieces: string[] = [];
  for await (const piece of copyPersonalData(world.northwind, { userId: demoUserId("northwind") })) pieces.push(piece);
  const { campaign_versions: versions } = z
    .object({ campaign_versions: z.array(z.object({ campaign_id: z.string(), number: z.number() })) })
    .parse(JSON.parse(pieces.join("")));
  expect(versions.filter(({ campaign_id: of }) => of === id).map(({ number }) => number)).toEqual(
    Array.from({ length: 2_101 }, (_, place) => place + 1),
  );
  expect(Math.max(...pieces.map(({ length }) => length))).toBeLessThan(100_000);
});

test("a copy has what is stored about a person and the account, and no secret", async () => {
  const { ctx, userId, token, secret, words } = await aPublisher({ withUploads: true });
  const { words: others } = await aPublisher({ withUploads: true });
  let text = "";
  for await (const piece of copyPersonalData(ctx, { userId })) text += piece;
  const copy = z.record(z.string(), z.unknown()).parse(JSON.parse(text));
  for (const word of words) expect(text).toContain(word);
  for (const word of others.filter((one) => one !== "n***")) expect(text).not.toContain(word);
  for (const one of [token, secret]) expect(text).not.toContain(one);
  for (const [table, rows] of Object.entries(copy)) {
    if (!Array.isArray(rows)) continue;
    const names = rows.flatMap((row: object) => Object.keys(row));
    expect(
      names.filter((name) => /secret|token|hash|credential|fingerprint/.test(name)),
      table,
    ).toEqual([]);
  }
  expect(copy.users).toHaveLength(1);
  expect(copy.products).toHaveLength(1);
  expect(await db().$count(users, isNull(users.erasedAt))).toBeGreaterThan(1);
});

test("a copy has which reports the person receives, and their requests of erasure", async () => {
  const { ctx, userId, words } = await aPublisher();
  const { id } = await createReport(ctx, { name: "Daily by campaign", query: "" });
  const daily = { frequency: "daily", hour: 8, time_zone: "UTC", range: "yesterday", format: "csv" };
  await scheduleReport(ctx, { id, ...reportScheduleSchema.parse({ ...daily, recipients: [words[0]] }) });
  await requestErasure(ctx, { userId });
  await cancelErasure(ctx, { userId });
  let text = "";
  for await (const piece of copyPersonalData(ctx, { userId })) text += piece;
  expect(JSON.parse(text)).toMatchObject({
    report_recipients: [{ user_id: userId }],
    erasures: [{ user_id: userId, requested_by: "person", canceled_at: expect.any(String) }],
  });
});

test("a copy has nothing of a line item that only the other side sees, and no token of a bank account", async () => {
  await world.aRunningCampaign();
  const to = { provider: "sandbox", token: "bank_vexed", bank: "Sandbox Bank", lastFour: "0116" } as const;
  const ended = { status: "failed", failure: "Closed.", createdAt: world.clock(), endedAt: world.clock() } as const;
  const publisherId = world.accountId("harbor");
  await db()
    .insert(payouts)
    .values({ id: newId<PayoutId>(), publisherId, amountCents: asCents(5_000), ...to, ...ended });
  const rows = z.array(z.record(z.string(), z.unknown())).min(1);
  for (const who of ["northwind", "harbor"] as const)
    for (const ctx of [world[who], operator()]) {
      let text = "";
      for await (const piece of copyPersonalData(ctx, { userId: demoUserId(who) })) text += piece;
      const copy = z.object({ line_items: rows, payouts: z.array(z.unknown()) }).parse(JSON.parse(text));
      const names = copy.line_items.flatMap((row) => Object.keys(row));
      expect(names).toContain("spend_micros");
      expect(names.includes("commission_rate_bps")).toBe(who === "harbor");
      expect(names.includes("revenue_micros")).toBe(who === "northwind");
      expect(copy.payouts).toHaveLength(who === "harbor" ? 1 : 0);
      expect(text).not.toContain("bank_vexed");
    }
});

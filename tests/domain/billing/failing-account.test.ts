import { asc, eq, inArray, isNotNull, sql } from "drizzle-orm";
import { afterEach, beforeAll, expect, test } from "vitest";
import { issueInvoices } from "#app/domain/billing/invoices/issue-invoices.server.ts";
import { listInvoices } from "#app/domain/billing/invoices/list-invoices.server.ts";
import { checkLedger } from "#app/domain/billing/ledger/check-ledger.server.ts";
import { listPayouts } from "#app/domain/billing/payouts/list-payouts.server.ts";
import { setPayoutAccount } from "#app/domain/billing/payouts/payout-account.server.ts";
import { startMonthlyPayouts } from "#app/domain/billing/payouts/start-monthly-payouts.server.ts";
import { settleDelivery } from "#app/domain/billing/settle-delivery.server.ts";
import { renewDueSubscriptions } from "#app/domain/billing/subscription/renew-due-subscriptions.server.ts";
import { setCreditLimit } from "#app/domain/billing/wallet/set-credit-limit.server.ts";
import { syncAllFundsHolds } from "#app/domain/billing/wallet/sync-funds-holds.server.ts";
import type { AdvertiserActor, Ctx, PublisherActor } from "#app/domain/context.ts";
import { type AccountId, newId, type SubscriptionId } from "#app/domain/ids.ts";
import { asCents } from "#app/domain/money.ts";
import { accounts, fundsHolds, invoiceRuns, payoutRuns, planChanges, subscriptions } from "#db/schema/index.ts";
import { asOperator, newMember, visitor } from "#tests/domain/accounts/people.ts";
import { useDatabase } from "#tests/support/database/database.ts";
import { createWorld, type World } from "#tests/support/world.ts";

const db = useDatabase();
let world: World;
beforeAll(async () => {
  world = await createWorld(db());
});
afterEach(() => db.owner().execute(sql`drop function if exists fail_for_one() cascade`));

/** Rejects whatever is inserted into a table for one account, or for all but one, as the data of accounts might. */
async function failInserts(table: string, column: string, of: AccountId | { except: AccountId }): Promise<void> {
  const isFailing = typeof of === "string" ? `new.${column} = '${of}'` : `new.${column} <> '${of.except}'`;
  await db.owner().execute(
    sql.raw(`create or replace function fail_for_one() returns trigger language plpgsql as $$ begin
      if ${isFailing} then raise exception 'fails' using errcode = 'ZZ001'; end if; return new; end $$`),
  );
  await db
    .owner()
    .execute(
      sql.raw(`create trigger fails_for_one before insert on ${table} for each row execute function fail_for_one()`),
    );
}

const mend = () => db.owner().execute(sql`drop function fail_for_one() cascade`);

/** Expects a job to fail, and to name the account that it fails for. */
async function expectFailure(run: Promise<unknown>, accountId: AccountId): Promise<void> {
  await expect(run).rejects.toThrow(new RegExp(`^failed for 1 of \\d+ accounts: ${accountId}$`));
}

async function newAdvertiser(): Promise<Ctx<AdvertiserActor>> {
  const { accountId, userId } = await newMember("advertiser");
  await setCreditLimit({ ...asOperator(), clock: world.clock }, { accountId, amount: asCents(50_000) });
  return { ...visitor(), clock: world.clock, actor: { kind: "advertiser", accountId, userId } };
}

const flight = () => ({ start_date: world.today(), end_date: "2027-12-31", budget: 90_000, daily_budget: 9_000 });
const byId = <C extends { actor: { accountId: AccountId } }>(all: C[]) =>
  all.sort((one, other) => (one.actor.accountId < other.actor.accountId ? -1 : 1)) as [C, C];

test("a publisher whose monthly payout fails keeps no other from theirs, and gets it in the next run", async () => {
  world.setNow("2026-11-20T12:00:00Z");
  const audiences = ["hikers", "coffeeDrinkers"] as const;
  const campaign = await world.aRunningCampaign({ audiences, approvedBy: ["harbor", "fern"], changes: flight() });
  for (const one of audiences)
    await world.deliver(campaign, { audienceId: world.audience(one), spendMicros: 200_000_000 });
  for (const who of [world.harbor, world.fern]) await setPayoutAccount(who, { token: "bank_sandbox" });
  world.advanceDays(1);
  await settleDelivery(world.job);
  world.setNow("2026-12-01T00:00:00Z");
  const [first, second] = byId<Ctx<PublisherActor>>([world.harbor, world.fern]);
  await failInserts("payouts", "publisher_id", first.actor.accountId);
  await expectFailure(startMonthlyPayouts(world.job), first.actor.accountId);
  expect((await listPayouts(first, {})).rows).toEqual([]);
  expect((await listPayouts(second, {})).rows).toMatchObject([{ amount: 14_000, scheduledFor: "2026-12-01" }]);
  expect(await db().$count(payoutRuns)).toBe(0);
  await mend();
  expect(await startMonthlyPayouts({ ...world.job, stopping: AbortSignal.abort() })).toBe(0);
  expect(await db().$count(payoutRuns)).toBe(0);
  expect(await startMonthlyPayouts(world.job)).toBe(1);
  expect((await listPayouts(first, {})).rows).toMatchObject([{ amount: 14_000, scheduledFor: "2026-12-01" }]);
  expect(await db().$count(payoutRuns)).toBe(1);
  expect(await checkLedger(world.job)).toEqual([]);
});

test("an advertiser whose invoice fails keeps no other from theirs, and gets it in the next run", async () => {
  world.setNow("2026-12-20T12:00:00Z");
  const [first, second] = byId([await newAdvertiser(), await newAdvertiser()]);
  for (const by of [first, second]) await world.deliver(await world.aRunningCampaign({ by, changes: flight() }));
  world.advanceDays(1);
  await settleDelivery(world.job);
  world.setNow("2027-01-01T02:00:00Z");
  await failInserts("invoices", "advertiser_id", first.actor.accountId);
  await expectFailure(issueInvoices(world.job), first.actor.accountId);
  expect((await listInvoices(first, {})).rows).toEqual([]);
  expect((await listInvoices(second, {})).rows).toMatchObject([{ amount: 400, month: "2026-12-01" }]);
  expect(await db().$count(invoiceRuns)).toBe(0);
  await mend();
  expect(await issueInvoices({ ...world.job, stopping: AbortSignal.abort() })).toBe(0);
  expect(await db().$count(invoiceRuns)).toBe(0);
  expect(await issueInvoices(world.job)).toBe(1);
  expect((await listInvoices(first, {})).rows).toMatchObject([{ amount: 400, month: "2026-12-01" }]);
  expect(await db().$count(invoiceRuns)).toBe(1);
  expect(await checkLedger(world.job)).toEqual([]);
});

test("a publisher whose renewal fails keeps no other from theirs", async () => {
  world.setNow("2027-01-10T12:00:00Z");
  await world.subscribe("harbor", "enterprise");
  world.advanceDays(1);
  await world.subscribe("fern", "enterprise");
  world.setNow("2027-02-12T12:00:00Z");
  const [first, second] = [world.accountId("harbor"), world.accountId("fern")];
  const isDue = isNotNull(subscriptions.dueAt);
  const due = await db()
    .select({ id: subscriptions.accountId })
    .from(subscriptions)
    .where(isDue)
    .orderBy(asc(subscriptions.dueAt));
  expect(due.map(({ id }) => id)).toEqual([first, second]);
  await failInserts("plan_changes", "account_id", first);
  await expectFailure(renewDueSubscriptions(world.job), first);
  const renewals = async () => (await db().select().from(planChanges)).map(({ accountId }) => accountId);
  expect(await renewals()).toEqual([second]);
  await mend();
  expect(await renewDueSubscriptions(world.job)).toBe(1);
  expect((await renewals()).sort()).toEqual([first, second].sort());
});

test("more publishers than are read at once, all of which fail, keep no other from their renewal", async () => {
  world.setNow("2027-02-20T12:00:00Z");
  const day = (text: string) => new Date(`${text}T12:00:00Z`);
  const failing = Array.from({ length: 201 }, () => newId<AccountId>());
  const publisher = { type: "publisher", status: "approved", createdAt: day("2027-01-01") } as const;
  await db()
    .insert(accounts)
    .values(failing.map((id) => ({ ...publisher, id, companyName: "Fails" })));
  const period = { createdAt: day("2027-01-01"), anchorAt: day("2027-01-01"), periodStartedAt: day("2027-01-01") };
  const due = { ...period, periodEndsAt: day("2027-02-01"), dueAt: day("2027-02-01") };
  const plan = { ...due, planType: "starter", status: "active" } as const;
  await db()
    .insert(subscriptions)
    .values(failing.map((accountId) => ({ ...plan, id: newId<SubscriptionId>(), accountId })));
  const { accountId: last } = await newMember("publisher");
  const later = { dueAt: day("2027-02-19"), id: newId<SubscriptionId>(), accountId: last };
  await db()
    .insert(subscriptions)
    .values({ ...plan, ...later });
  await failInserts("plan_changes", "account_id", { except: last });
  await expect(renewDueSubscriptions(world.job)).rejects.toThrow(
    /^failed for 20\d of 20\d accounts: (?:[\w-]{36}, ){19}[\w-]{36} and 18\d more$/,
  );
  expect(await db().$count(planChanges, eq(planChanges.accountId, last))).toBe(1);
  await mend();
  await db().update(subscriptions).set({ dueAt: null }).where(inArray(subscriptions.accountId, failing));
});

test("an advertiser whose hold fails keeps no other from theirs", async () => {
  world.setNow("2027-03-01T12:00:00Z");
  await world.subscribe("harbor", "enterprise");
  const both = [await newAdvertiser(), await newAdvertiser()];
  for (const by of both) await world.deliver(await world.aRunningCampaign({ by, changes: flight() }));
  for (const { actor } of both)
    await db.owner().execute(sql`update accounts set credit_limit_cents = 0 where id = ${actor.accountId}`);
  for (const { actor: failing } of both) {
    await failInserts("funds_holds", "account_id", failing.accountId);
    await expectFailure(syncAllFundsHolds(world.job), failing.accountId);
    for (const { actor } of both) {
      const held = await db().$count(fundsHolds, sql`account_id = ${actor.accountId} and released_at is null`);
      expect(held).toBe(actor === failing ? 0 : 1);
    }
    await mend();
    const ids = both.map(({ actor }) => actor.accountId);
    await db.owner().delete(fundsHolds).where(inArray(fundsHolds.accountId, ids));
  }
});

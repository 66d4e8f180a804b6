import { beforeAll, expect, test } from "vitest";
import { settleDelivery } from "#app/domain/billing/settle-delivery.server.ts";
import { demoUserId } from "#db/seed/demo-accounts.ts";
import { useDatabase } from "#tests/support/database/database.ts";
import { planDollars } from "#tests/support/plan-prices.ts";
import { createWorld, type World } from "#tests/support/world.ts";
import { type ApiClient, clientOf, member } from "./api.ts";

const db = useDatabase();
let world: World;
let [advertiser, publisher, other]: ApiClient[] = [];

/** Creates a campaign of Northwind on audiences of Harbor and Fern, settled on two days. */
beforeAll(async () => {
  world = await createWorld(db());
  [advertiser, publisher, other] = await Promise.all([
    clientOf(demoUserId("northwind")),
    clientOf(demoUserId("harbor")),
    clientOf(demoUserId("brightside")),
  ]);
  const id = await world.aRunningCampaign({
    audiences: ["hikers", "coffeeDrinkers"],
    approvedBy: ["harbor", "fern"],
    changes: { start_date: world.today() },
  });
  await world.deliver(id, { spendMicros: 10_019_999 });
  await world.deliver(id, { spendMicros: 4_000_000, audienceId: world.audience("coffeeDrinkers") });
  await settleOn("2026-11-21T01:00:00Z");
  world.setNow("2026-11-20T13:00:00Z");
  await world.deliver(id, { spendMicros: 9_500_000 });
  await settleOn("2026-11-21T02:00:00Z");
});

function settleOn(instant: string) {
  world.setNow(instant);
  return settleDelivery(world.job);
}

test("an advertiser's transactions are its spend, newest first, in pages", async () => {
  const { body } = (await advertiser?.("GET /api/billing/transactions", { query: { limit: 1 } })) ?? {};
  expect(body?.transactions).toMatchObject([
    { description: "Ridgeline Packs", amount: -0.51, transaction_type: "campaign_spend", status: "succeeded" },
  ]);
  const rest = await advertiser?.("GET /api/billing/transactions", { query: { cursor: body?.next_cursor ?? "" } });
  expect(rest?.body.transactions.map(({ amount }) => amount).sort((a, b) => b - a)).toEqual([10.01, 4]);
  expect(rest?.body.next_cursor).toBeNull();
  expect((await other?.("GET /api/billing/transactions", {}))?.body.transactions).toEqual([]);
});

test("a publisher's revenue shares add up, by row and in total", async () => {
  const { body } = (await publisher?.("GET /api/billing/revenue-shares", {})) ?? {};
  expect(body?.revenue_shares).toMatchObject([
    { advertiser_spend: -0.51, publisher_earnings: -0.35, platform_fee: -0.16, status: "pending" },
    { campaign_name: "Ridgeline Packs", advertiser_spend: 10.01, publisher_earnings: 7, platform_fee: 3.01 },
  ]);
  expect(body?.total_earnings).toBe(6.65);
  expect((await publisher?.("GET /api/billing/transactions", {}))?.body.transactions).toEqual([]);
});

test("a plan that is too small for the running campaigns is an error that its endpoint declares", async () => {
  for (let running = 1; running < 6; running += 1)
    await world.aRunningCampaign({ changes: { start_date: world.today() } });
  const small = await publisher?.("POST /api/billing/subscription", {
    headers: { "Idempotency-Key": "small" },
    body: { plan_type: "starter" },
  });
  expect([small?.status, small?.error?.code]).toEqual([409, "limit_reached"]);
});

test("a publisher chooses a plan: charged once per key, at the shown price, and canceled again", async () => {
  const { starter, professional } = planDollars;
  const { api } = await member("publisher");
  const choose = (plan_type: string, key: string, more: Record<string, unknown> = {}) =>
    api("POST /api/billing/subscription", {
      headers: { "Idempotency-Key": key },
      body: { plan_type, ...more } as { plan_type: "starter" },
    });
  expect(await choose("starter", "a")).toMatchObject({ status: 409, error: { code: "invalid_transition" } });
  await api("POST /api/billing/payment-methods", { body: { token: "tok_visa" } });
  for (const wrong of ["gold", "", "constructor"]) expect(await choose(wrong, "b")).toMatchObject({ status: 422 });
  expect(await choose("starter", "b", { amount: starter - 0.01 })).toMatchObject({ status: 422 });
  const first = await choose("starter", "c", { amount: starter });
  expect(first.body).toMatchObject({
    subscription: { plan_type: "starter", monthly_amount: starter, status: "active", next_charge: { amount: starter } },
    payment: { amount: starter, status: "succeeded", confirmation_url: null },
  });
  const larger = await choose("professional", "d");
  expect(larger.body.payment).toMatchObject({ amount: professional - starter });
  expect(await choose("starter", "c", { amount: starter })).toMatchObject({ status: 200, body: first.body });
  expect(await choose("enterprise", "c")).toMatchObject({ status: 422, error: { code: "idempotency_conflict" } });
  const otherPrice = await choose("starter", "c", { amount: starter - 1 });
  expect(otherPrice).toMatchObject({ status: 422, error: { code: "idempotency_conflict" } });
  expect((await api("DELETE /api/billing/subscription", {})).body.subscription).toMatchObject({
    plan_type: "professional",
    cancel_at_period_end: true,
    next_charge: null,
  });
  expect((await choose("professional", "e")).body).toMatchObject({
    subscription: { cancel_at_period_end: false },
    payment: null,
  });
  const { body } = await api("GET /api/billing/transactions", {});
  expect(body.transactions.map(({ amount, transaction_type }) => `${transaction_type} ${amount}`)).toEqual([
    `subscription ${professional - starter}`,
    `subscription ${starter}`,
  ]);
  expect(await api("POST /api/billing/subscription", { body: { plan_type: "starter" } })).toMatchObject({
    status: 400,
  });
});

import { beforeAll, expect, test } from "vitest";
import { settleDelivery } from "#app/domain/billing/settle-delivery.server.ts";
import { demoUserId } from "#db/seed/demo-accounts.ts";
import { useDatabase } from "#tests/support/database.ts";
import { makeWorld, type World } from "#tests/support/world.ts";
import { type ApiClient, clientOf } from "./api.ts";

const db = useDatabase();
let world: World;
let [advertiser, publisher, other]: ApiClient[] = [];

/** A campaign of Northwind's on Harbor's and Fern's audiences, settled on two days. */
beforeAll(async () => {
  world = await makeWorld(db());
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
  expect(rest?.body.transactions.map(({ amount }) => amount).sort()).toEqual([10.01, 4]);
  expect(rest?.body.next_cursor).toBeNull();
  expect((await other?.("GET /api/billing/transactions", {}))?.body.transactions).toEqual([]);
});

test("a publisher's revenue shares add up, line by line and in all", async () => {
  const { body } = (await publisher?.("GET /api/billing/revenue-shares", {})) ?? {};
  expect(body?.revenue_shares).toMatchObject([
    { advertiser_spend: -0.51, publisher_earnings: -0.35, platform_fee: -0.16, status: "pending" },
    { campaign_name: "Ridgeline Packs", advertiser_spend: 10.01, publisher_earnings: 7, platform_fee: 3.01 },
  ]);
  expect(body?.total_earnings).toBe(6.65);
  expect((await publisher?.("GET /api/billing/transactions", {}))?.body.transactions).toEqual([]);
});

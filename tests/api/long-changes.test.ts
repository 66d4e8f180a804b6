import { sql } from "drizzle-orm";
import { beforeAll, expect, test, vi } from "vitest";
import { setPayoutAccount } from "#app/domain/billing/payouts/payout-account.server.ts";
import { settleDelivery } from "#app/domain/billing/settle-delivery.server.ts";
import * as revenue from "#app/screens/publisher/revenue/overview/route.tsx";
import { demoUserId } from "#db/seed/demo-accounts.ts";
import { useDatabase } from "#tests/support/database/database.ts";
import { createWorld, type World } from "#tests/support/world.ts";
import { visit } from "../routes/publisher/portal.ts";
import { clientOf, member, product, readyAudience } from "./api.ts";

const db = useDatabase();
let world: World;

/** Gives two publishers earnings, and makes each change below take longer than a request's transactions may. */
beforeAll(async () => {
  world = await createWorld(db());
  const id = await world.aRunningCampaign({
    audiences: ["hikers", "coffeeDrinkers"],
    approvedBy: ["harbor", "fern"],
    changes: { start_date: world.today() },
  });
  await world.deliver(id, { spendMicros: 90_000_000 });
  await world.deliver(id, { spendMicros: 90_000_000, audienceId: world.audience("coffeeDrinkers") });
  world.advanceDays(1);
  await settleDelivery(world.job);
  world.advanceDays(9);
  for (const publisher of [world.harbor, world.fern]) await setPayoutAccount(publisher, { token: "bank_sandbox" });
  await db.owner().execute(sql`
    create function sleep_on_change() returns trigger language plpgsql as
      'begin perform pg_sleep(5.5); return coalesce(new, old); end'`);
  for (const change of [
    "insert on payouts",
    "insert on audience_versions",
    "delete on products",
    "update on products",
  ]) {
    const name = change.replaceAll(" ", "_");
    await db
      .owner()
      .execute(sql.raw(`create trigger ${name} before ${change} for each row execute function sleep_on_change()`));
  }
  vi.setSystemTime(world.clock());
  return () => vi.useRealTimers();
});

test("a change that may take longer than other requests may also take it with an idempotency key", async () => {
  const headers = { "Idempotency-Key": "a-long-change" };
  const harbor = await clientOf(demoUserId("harbor"));
  const [adding, erasing] = [await member("publisher"), await member("publisher")];
  const [deleting, moving] = [await member("advertiser"), await member("advertiser")];
  const params = { id: await readyAudience(adding.accountId) };
  const other = { id: await readyAudience(erasing.accountId) };
  const people = { add: [{ email: "jane@example.com" }] };
  const [deleted, moved] = [await product(deleting.accountId), await product(moving.accountId)];
  expect((await erasing.byKey("POST /api/audiences/{id}/members", { params: other, body: people })).status).toBe(200);
  const responses = await Promise.all([
    harbor("POST /api/billing/payouts", { body: {}, headers }),
    adding.byKey("POST /api/audiences/{id}/members", { params, body: people, headers }),
    erasing.byKey("POST /api/erasures", { body: { identifiers: ["jane@example.com"] }, headers }),
    deleting.byKey("POST /api/products/delete", { body: { products: [deleted] }, headers }),
    moving.byKey("POST /api/products/categorize", { body: { products: [moved], category: "Tea" }, headers }),
  ]);
  expect(responses.map(({ status }) => status)).toEqual([201, 200, 200, 200, 200]);
  // Payouts wait for each other no longer than other requests do.
  const form = { amount: "63", idempotency_key: "a-long-form" };
  expect((await visit(world, "fern", revenue.action, "/publisher/revenue", { form })).status).toBe(302);
}, 60_000);

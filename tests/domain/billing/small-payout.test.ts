import { eq } from "drizzle-orm";
import { beforeAll, expect, test } from "vitest";
import { checkLedger } from "#app/domain/billing/ledger/check-ledger.server.ts";
import { getPayoutBalance } from "#app/domain/billing/payouts/get-payout-balance.server.ts";
import { payOutRemainder } from "#app/domain/billing/payouts/pay-out-remainder.server.ts";
import { requestPayout } from "#app/domain/billing/payouts/request-payout.server.ts";
import { sendDuePayouts } from "#app/domain/billing/payouts/send-due-payouts.server.ts";
import { settleDelivery } from "#app/domain/billing/settle-delivery.server.ts";
import { completeEndedCampaigns } from "#app/domain/campaigns/complete-campaigns.server.ts";
import { listErasureBlockers } from "#app/domain/privacy/list-erasure-blockers.server.ts";
import { auditEntries } from "#db/schema/index.ts";
import { asOperator } from "#tests/domain/accounts/people.ts";
import { useDatabase } from "#tests/support/database/database.ts";
import { expectDomainError } from "#tests/support/expect-domain-error.ts";
import { createWorld, type World } from "#tests/support/world.ts";

const db = useDatabase();
let world: World;
const payOut = (who: "harbor" | "northwind") =>
  payOutRemainder({ ...asOperator(), clock: world.clock }, { accountId: world.accountId(who) });

/** Harbor Goods earned $21 with its only campaign, which has ended. */
beforeAll(async () => {
  world = await createWorld(db());
  const campaign = await world.aRunningCampaign({ changes: { start_date: world.today(), end_date: world.today() } });
  await world.deliver(campaign, { spendMicros: 30_000_000 });
  world.advanceDays(1);
  await world.subscribe("harbor", undefined);
  await completeEndedCampaigns(world.job);
  await settleDelivery(world.job);
});

test("an operator pays out what is left below the minimum, once it is released, and the account can be closed", async () => {
  await expectDomainError(payOut("northwind"), "not_found");
  await expectDomainError(payOut("harbor"), "limit_reached", /You have \$0\.00 available/);
  world.advanceDays(7);
  await expectDomainError(requestPayout(world.harbor, {}), "limit_reached", /The minimum payout is \$50\.00/);
  expect(await listErasureBlockers(world.harbor)).toEqual(["earnings"]);

  const results = await Promise.allSettled([0, 1, 2].map(() => payOut("harbor")));
  expect(results.flatMap((one) => (one.status === "fulfilled" ? one.value : []))).toEqual([2_100]);
  expect(await sendDuePayouts(world.job)).toBe(2);
  expect(await getPayoutBalance(world.harbor)).toMatchObject({ held: 0, available: 0, inTransit: 0, paid: 2_100 });
  expect(await listErasureBlockers(world.harbor)).toEqual([]);
  await expectDomainError(payOut("harbor"), "limit_reached");
  const started = await db().select().from(auditEntries).where(eq(auditEntries.action, "payout.started"));
  expect(started).toMatchObject([{ actorKind: "operator", accountId: world.accountId("harbor") }]);
  expect(await checkLedger(world.job)).toEqual([]);
});

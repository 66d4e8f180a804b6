import { and, eq } from "drizzle-orm";
import { beforeAll, expect, test } from "vitest";
import { checkLedger } from "#app/domain/billing/ledger/check-ledger.server.ts";
import { getPayoutBalance } from "#app/domain/billing/payouts/get-payout-balance.server.ts";
import { setPayoutAccount } from "#app/domain/billing/payouts/payout-account.server.ts";
import { requestPayout } from "#app/domain/billing/payouts/request-payout.server.ts";
import { sendDuePayouts } from "#app/domain/billing/payouts/send-due-payouts.server.ts";
import { refundSpend } from "#app/domain/billing/refunds/refund-spend.server.ts";
import { settleDelivery } from "#app/domain/billing/settle-delivery.server.ts";
import { getWallet } from "#app/domain/billing/wallet/get-wallet.server.ts";
import { completeEndedCampaigns } from "#app/domain/campaigns/complete-campaigns.server.ts";
import { asCents } from "#app/domain/money.ts";
import { findErasure } from "#app/domain/privacy/find-erasure.server.ts";
import { listErasureBlockers } from "#app/domain/privacy/list-erasure-blockers.server.ts";
import { requestErasure } from "#app/domain/privacy/request-erasure.server.ts";
import { runDueErasures } from "#app/domain/privacy/run-due-erasures.server.ts";
import { accounts, auditEntries, lineItems } from "#db/schema/index.ts";
import { demoUserId } from "#db/seed/demo-accounts.ts";
import { useDatabase } from "#tests/support/database/database.ts";
import { findBrokenInvariants } from "#tests/support/database/invariants.ts";
import { expectDomainError } from "#tests/support/expect-domain-error.ts";
import { createWorld, type World } from "#tests/support/world.ts";

const db = useDatabase();
let world: World;
const operator = () => ({ ...world.job, actor: { kind: "operator", name: "Jo" }, entrypoint: "command" }) as const;

/** Harbor Goods was paid $70 of Northwind's $100, on credit, of which $50 were then refunded. */
beforeAll(async () => {
  world = await createWorld(db());
  const campaign = await world.aRunningCampaign({ changes: { start_date: world.today(), end_date: world.today() } });
  await world.deliver(campaign, { spendMicros: 100_000_000 });
  await world.subscribe("harbor", undefined);
  world.advanceDays(1);
  await completeEndedCampaigns(world.job);
  await settleDelivery(world.job);
  world.advanceDays(8);
  await setPayoutAccount(world.harbor, { token: "bank_sandbox" });
  await requestPayout(world.harbor, {});
  expect(await sendDuePayouts(world.job)).toBe(2);
  const [item] = await db().select({ id: lineItems.id }).from(lineItems).where(eq(lineItems.campaignId, campaign));
  await refundSpend(operator(), { lineItemId: item?.id ?? expect.fail("no line item"), amount: asCents(5_000) });
});

test.each(["harbor", "northwind"] as const)(
  "the account of %s, which owes money, is closed when an operator accepts that, and the debt stays in the books",
  async (who) => {
    const [userId, ctx] = [demoUserId(who), world[who]];
    const debtOf = { harbor: 35, northwind: 50 }[who];
    const readBalance = async () =>
      who === "harbor" ? (await getPayoutBalance(world.harbor)).available : (await getWallet(world.northwind)).balance;
    expect(await readBalance()).toBe(-debtOf * 100);
    expect(await listErasureBlockers(ctx)).toEqual(["debt"]);
    const words = { harbor: /^Your balance is negative/, northwind: /invoiced amounts are not paid/ }[who];
    const request = (acceptsDebt: boolean) => requestErasure(operator(), { userId, isImmediate: true, acceptsDebt });
    await expectDomainError(request(false), "invalid_transition", words);

    await request(true);
    expect(await runDueErasures(world.job)).toBe(0);
    expect(await findErasure(ctx, { userId })).toMatchObject({ blockers: ["debt"] });
    await request(true);
    expect(await runDueErasures(operator(), { acceptsDebtOf: userId })).toBe(1);
    const { accountId } = ctx.actor;
    const [account] = await db().select().from(accounts).where(eq(accounts.id, accountId));
    expect(account?.closedAt).toEqual(world.clock());
    const closed = and(eq(auditEntries.entityId, accountId), eq(auditEntries.action, "account.closed"));
    expect(await db().select().from(auditEntries).where(closed)).toMatchObject([{ after: { debt: debtOf } }]);
    expect(await readBalance()).toBe(-debtOf * 100);
    expect(await checkLedger(world.job)).toEqual([]);
    expect(await findBrokenInvariants(db())).toEqual({});
  },
);

import { inArray } from "drizzle-orm";
import { beforeAll, expect, test } from "vitest";
import { issueInvoices } from "#app/domain/billing/invoices/issue-invoices.server.ts";
import { recordInvoicePayment } from "#app/domain/billing/invoices/record-invoice-payment.server.ts";
import { checkLedger } from "#app/domain/billing/ledger/check-ledger.server.ts";
import { type ClosedBalance, listClosedBalances } from "#app/domain/billing/ledger/list-closed-balances.server.ts";
import { settleDelivery } from "#app/domain/billing/settle-delivery.server.ts";
import { completeEndedCampaigns } from "#app/domain/campaigns/complete-campaigns.server.ts";
import type { CampaignId } from "#app/domain/ids.ts";
import { accounts, invoices } from "#db/schema/index.ts";
import { useDatabase } from "#tests/support/database/database.ts";
import { createWorld, type World } from "#tests/support/world.ts";

const db = useDatabase();
let world: World;
let campaign: CampaignId;
const operator = () => ({ ...world.job, actor: { kind: "operator", name: "Jo" }, entrypoint: "command" }) as const;
const ids = () => [world.harbor.actor.accountId, world.northwind.actor.accountId];

/** Settles, and returns which closed accounts have a balance since, in dollars. */
async function settle(): Promise<Record<string, number>> {
  const closed: ClosedBalance[] = [];
  await settleDelivery(world.job, { onClosedBalance: (account) => void closed.push(account) });
  return Object.fromEntries(closed.map(({ id, balance }) => [id, balance / 100]));
}

beforeAll(async () => {
  world = await createWorld(db());
  campaign = await world.aRunningCampaign({ changes: { start_date: world.today(), end_date: world.today() } });
});

test("what restated delivery leaves to a closed account is reported, and listed for an operator", async () => {
  const day = world.today();
  const [harbor = "", northwind = ""] = ids();
  const restate = async (dollars: number) => {
    await world.deliver(campaign, { day, spendMicros: dollars * 1_000_000 });
    return settle();
  };
  await world.deliver(campaign, { day, spendMicros: 100_000_000 });
  world.advanceDays(1);
  await completeEndedCampaigns(world.job);
  expect(await settle()).toEqual({});
  world.setNow("2026-12-01T02:00:00Z");
  expect(await issueInvoices(world.job)).toBe(1);
  const [invoice] = await db().select().from(invoices);
  await recordInvoicePayment(operator(), { number: invoice?.number ?? 0 });
  await db().update(accounts).set({ status: "suspended", closedAt: world.clock() }).where(inArray(accounts.id, ids()));

  expect(await restate(110)).toEqual({ [harbor]: 77, [northwind]: -10 });
  expect(await settle()).toEqual({});
  const listed = await listClosedBalances(operator());
  expect(new Map(listed.map(({ id, balance }) => [id as string, balance as number]))).toEqual(
    new Map([
      [harbor, 7_700],
      [northwind, -1_000],
    ]),
  );
  expect(await restate(60)).toEqual({ [harbor]: 42, [northwind]: 40 });
  expect(await restate(0)).toEqual({ [northwind]: 100 });
  expect(await checkLedger(world.job)).toEqual([]);
});

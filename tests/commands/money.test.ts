import { eq, sql } from "drizzle-orm";
import { beforeAll, expect, test } from "vitest";
import { settleDelivery } from "#app/domain/billing/settle-delivery.server.ts";
import { completeEndedCampaigns } from "#app/domain/campaigns/complete-campaigns.server.ts";
import { accounts, lineItems, subscriptions } from "#db/schema/index.ts";
import { useDatabase } from "#tests/support/database/database.ts";
import { createWorld, type World } from "#tests/support/world.ts";
import accountsCommand from "../../commands/accounts.ts";
import checkLedger from "../../commands/check-ledger.ts";
import refund from "../../commands/refund.ts";
import settle from "../../commands/settle.ts";
import { performCommand } from "./perform-command.ts";

const db = useDatabase();

let world: World;
beforeAll(async () => {
  world = await createWorld(db());
});

const commands = { accounts: accountsCommand, "check-ledger": checkLedger, refund, settle };
const run = (command: keyof typeof commands, ...args: string[]) =>
  performCommand(db.ownerUrl(), commands[command], ...args);

test("accounts payout pays out what a publisher has, also below the minimum, once", async () => {
  world.setNow("2019-12-01T12:00:00Z");
  const id = await world.aRunningCampaign({ changes: { start_date: world.today(), end_date: world.today() } });
  await world.deliver(id);
  world.advanceDays(1);
  await completeEndedCampaigns(world.job);
  await settleDelivery(world.job);
  const payOut = (email: string) => run("accounts", "payout", email);
  expect(await payOut("publisher@example.com")).toBe("Payout of $2.80 to publisher@example.com started\n");
  expect(await payOut("publisher@example.com")).toMatch(/^1: A payout is already in transit/);
  expect(await payOut("advertiser@example.com")).toMatch(/^1: Publisher not found/);
  expect(await run("accounts", "payout")).toMatch(/^1: Usage: npm run accounts -- /);
  expect(await run("accounts", "payout", "publisher@example.com", "10")).toMatch(/^1: Usage: npm run accounts -- /);
});

const cancelPlan = (email: string) => run("accounts", "cancel-plan", email);

test("accounts cancel-plan cancels a publisher's plan at the end of its period, also a suspended one's", async () => {
  await world.subscribe("harbor", "starter");
  await db()
    .update(subscriptions)
    .set({ periodEndsAt: new Date("2099-01-01T12:00:00Z") });
  expect(await run("accounts", "suspend", "publisher@example.com")).toMatch(/is now suspended/);
  for (const _ of [1, 2])
    expect(await cancelPlan("publisher@example.com")).toBe(
      "Plan of publisher@example.com canceled: it ends on Jan 1, 2099\n",
    );
  expect(await cancelPlan("advertiser@example.com")).toBe("1: Subscription not found\n");
  expect(await run("accounts", "cancel-plan")).toMatch(/^1: Usage: npm run accounts -- /);
});

test("accounts cancel-plan ends a plan whose period is over at once, also one that is canceled", async () => {
  await db()
    .update(subscriptions)
    .set({ periodEndsAt: world.clock(), periodStartedAt: new Date(0) });
  expect(await cancelPlan("publisher@example.com")).toBe("Plan of publisher@example.com canceled: it has ended\n");
  expect(await cancelPlan("publisher@example.com")).toBe("1: Subscription not found\n");
  await run("accounts", "approve", "publisher@example.com");
});

test("accounts repaid records what a publisher transferred, by its email or the ID of a closed account, once per reference", async () => {
  const [item] = await db().select({ id: lineItems.id }).from(lineItems);
  expect(await run("refund", "--line-item", item?.id ?? "", "--amount", "4", "--reference", "TICKET 1")).toMatch(
    /^\$4/,
  );
  const repaid = (...args: string[]) => run("accounts", "repaid", ...args);
  const email = "publisher@example.com";
  expect(await repaid(email, "2.81", "BANK 1")).toMatch(/^1: The account owes \$2\.80, so no more than that/);
  expect(await repaid(email, "1", "BANK 1")).toBe(`Repayment of $1.00 by ${email} recorded under BANK 1\n`);
  expect(await repaid(email, "1", "BANK 1")).toBe(`Repayment of $1.00 by ${email} already recorded under BANK 1\n`);
  expect(await repaid(email, "1.80", "BANK 1")).toMatch(/^1: BANK 1 was already recorded for \$1\.00 of the account /);
  const id = world.accountId("harbor");
  expect(await repaid(id, "1.80", "BANK 2")).toBe(`Repayment of $1.80 by ${id} recorded under BANK 2\n`);
  const reversed = (...args: string[]) => run("accounts", "repayment-reversed", ...args);
  expect(await reversed(email, "BANK 3")).toBe("1: Repayment not found\n");
  expect(await reversed(email, "BANK 2")).toBe(`Repayment of $1.80 by ${email} under BANK 2 reversed\n`);
  expect(await reversed(id, "BANK 2")).toBe(`Repayment of $1.80 by ${id} under BANK 2 was already reversed\n`);
  expect(await repaid(id, "1.80", "BANK 2")).toBe(`Repayment of $1.80 by ${id} recorded under BANK 2\n`);
  for (const wrong of [[], [email], [email, "BANK 2", "1"]])
    expect(await reversed(...wrong)).toMatch(/^1: Usage: npm run accounts -- /);
  expect(await repaid("nobody@example.com", "1", "BANK 3")).toBe("1: No account found for nobody@example.com\n");
  for (const wrong of [[], [email, "1"], [email, "one", "BANK 3"], [email, "1", "BANK", "3"]])
    expect(await repaid(...wrong)).toMatch(/^1: Usage: npm run accounts -- /);
});

test("accounts balance-returned records what was sent back to a closed account, once per reference, and its reversal", async () => {
  world.setNow("2019-12-20T12:00:00Z");
  const flight = { start_date: world.today(), end_date: world.today() };
  const id = await world.aRunningCampaign({ audiences: ["coffeeDrinkers"], approvedBy: ["fern"], changes: flight });
  await world.deliver(id, { audienceId: world.audience("coffeeDrinkers") });
  world.advanceDays(1);
  await completeEndedCampaigns(world.job);
  await settleDelivery(world.job);
  const [account, email] = [world.accountId("fern"), "second-publisher@example.com"];
  const returned = (...args: string[]) => run("accounts", "balance-returned", ...args);
  expect(await returned(email, "1", "BANK 1")).toBe("1: The account is not closed. Pay out its balance instead.\n");
  const closed = { status: "suspended", closedAt: world.clock() } as const;
  await db().update(accounts).set(closed).where(eq(accounts.id, account));
  expect(await returned(account, "2.81", "BANK 1")).toMatch(/^1: The account is owed \$2\.80, so no more than \$2\.80/);
  const [one, two] = [`Return of $1.00 to ${account}`, `Return of $1.80 to ${account}`];
  expect(await returned(account, "1", "BANK 1")).toBe(`${one} recorded under BANK 1\n`);
  expect(await returned(account, "1", "BANK 1")).toBe(`${one} already recorded under BANK 1\n`);
  expect(await returned(account, "1.80", "BANK 1")).toMatch(
    /^1: BANK 1 was already recorded for \$1\.00 of the account /,
  );
  expect(await run("accounts", "closed")).toMatch(/\tpublisher\t.+\tis owed \$1\.80\n$/);
  expect(await returned(account, "1.80", "BANK 2")).toBe(`${two} recorded under BANK 2\n`);
  expect(await run("accounts", "closed")).toBe("");
  const reversed = (...args: string[]) => run("accounts", "balance-return-reversed", ...args);
  expect(await reversed(account, "BANK 3")).toBe("1: Return of the balance not found\n");
  expect(await reversed(account, "BANK 2")).toBe(`${two} under BANK 2 reversed\n`);
  expect(await reversed(account, "BANK 2")).toBe(`${two} under BANK 2 was already reversed\n`);
  expect(await returned(account, "1.80", "BANK 2")).toBe(`${two} recorded under BANK 2\n`);
  for (const wrong of [[], [account], [account, "1"], [account, "one", "BANK 3"], [account, "1", "BANK", "3"]])
    expect(await returned(...wrong)).toMatch(/^1: Usage: npm run accounts -- /);
  for (const wrong of [[], [account], [account, "BANK 2", "1"]])
    expect(await reversed(...wrong)).toMatch(/^1: Usage: npm run accounts -- /);
  expect(await run("check-ledger")).toBe("Ledger check passed\n");
});

test("accounts repaid records what a closed advertiser transferred, once per reference, and its reversal", async () => {
  world.setNow("2019-12-28T12:00:00Z");
  const flight = { start_date: world.today(), end_date: world.today() };
  await world.deliver(await world.aRunningCampaign({ by: world.brightside, changes: flight }));
  world.advanceDays(1);
  await completeEndedCampaigns(world.job);
  await settleDelivery(world.job);
  const account = world.accountId("brightside");
  const repaid = (...args: string[]) => run("accounts", "repaid", account, ...args);
  expect(await repaid("1", "BANK 7")).toMatch(/^1: The account is not closed\. Have it top up its wallet/);
  const closed = { status: "suspended", closedAt: world.clock() } as const;
  await db().update(accounts).set(closed).where(eq(accounts.id, account));
  expect(await run("accounts", "closed")).toMatch(/\tadvertiser\t.+\towes \$4\.00\n$/);
  expect(await repaid("4.01", "BANK 7")).toMatch(/^1: The account owes \$4\.00, so no more than that/);
  const repayment = `Repayment of $4.00 by ${account}`;
  expect(await repaid("4", "BANK 7")).toBe(`${repayment} recorded under BANK 7\n`);
  expect(await repaid("4", "BANK 7")).toBe(`${repayment} already recorded under BANK 7\n`);
  expect(await run("accounts", "closed")).toBe("");
  expect(await run("accounts", "repayment-reversed", account, "BANK 7")).toBe(`${repayment} under BANK 7 reversed\n`);
  expect(await repaid("4", "BANK 7")).toBe(`${repayment} recorded under BANK 7\n`);
  expect(await run("check-ledger")).toBe("Ledger check passed\n");
});

test("settle settles all due days, and ledger:check says whether the books add up", async () => {
  world.setNow("2020-01-01T12:00:00Z");
  const id = await world.aRunningCampaign({ changes: { start_date: world.today() } });
  await world.deliver(id);
  expect(await run("settle")).toBe("1 line item settled\n");
  expect(await run("settle", "2001-01-01")).toBe("0 line items settled\n");
  expect(await run("settle", "yesterday")).toBe("1: Usage: npm run settle [-- YYYY-MM-DD]\n");
  expect(await run("check-ledger")).toBe("Ledger check passed\n");
  expect(await run("accounts", "closed")).toBe("");
  const harbor = eq(accounts.id, world.harbor.actor.accountId);
  await db().update(accounts).set({ status: "suspended", closedAt: world.clock() }).where(harbor);
  expect(await run("accounts", "closed")).toMatch(/^[0-9a-f-]{36}\tpublisher\tHarbor Goods\tis owed \$5\.60\n$/);
  await db.owner().execute(sql`alter table transactions disable trigger all`);
  const northwind = world.northwind.actor.accountId;
  await db
    .owner()
    .execute(
      sql`update transactions set amount_cents = amount_cents + 1 where type = 'campaign_spend' and account_id = ${northwind}`,
    );
  const violations = [
    "advertiser balance differs from the sum of its transactions",
    "advertiser transactions differ from the ledger",
    "settled spend of an advertiser is not the sum of its transactions",
  ].map((rule) => `${rule}: [0-9a-f-]{36}\n`);
  expect(await run("check-ledger")).toMatch(new RegExp(`^1: ${violations.join("")}$`));
});

import { randomUUID } from "node:crypto";
import { and, eq, gt, inArray, sql } from "drizzle-orm";
import { expect } from "vitest";
import { isCurrentSubscription } from "#app/domain/billing/find-subscription.server.ts";
import { issueInvoices } from "#app/domain/billing/invoices/issue-invoices.server.ts";
import { payInvoice } from "#app/domain/billing/invoices/pay-invoice.server.ts";
import { refundSpendByReference } from "#app/domain/billing/refunds/refund-spend-by-reference.server.ts";
import { renewDueSubscriptions } from "#app/domain/billing/subscription/renew-due-subscriptions.server.ts";
import { setCreditLimit } from "#app/domain/billing/wallet/set-credit-limit.server.ts";
import { asCents } from "#app/domain/money.ts";
import {
  invoiceRuns,
  invoices,
  lineItems,
  payouts,
  planChanges,
  refunds,
  sandboxTransfers,
  subscriptions,
  topUps,
} from "#db/schema/index.ts";
import type { TestMember } from "#tests/api/api.ts";
import { asOperator, visitor } from "#tests/domain/accounts/people.ts";
import { type Contender, contenderCount, inThisProcess, oneSucceeds, runContenders, times } from "./contend.ts";
import { asJob, newPublisher, publisherWithBalance, publisherWithCampaigns, withCard } from "./people-with-money.ts";
import type { useTwoProcesses } from "./two-processes.ts";

type Send = ReturnType<typeof useTwoProcesses>["send"];
type Post = `POST /api/billing/${"top-ups" | "payouts" | "subscription"}`;

/** Runs one round of each race about money. The rules for all rows, the ledger's among them, are checked afterwards. */
export function moneyRaces(
  { db, send }: Pick<ReturnType<typeof useTwoProcesses>, "db" | "send">,
  advertiser: () => TestMember,
): Record<string, () => Promise<void>> {
  const countPaidPlans = (accountId: TestMember["accountId"]) =>
    db().$count(
      planChanges,
      and(eq(planChanges.accountId, accountId), eq(planChanges.status, "succeeded"), gt(planChanges.amountCents, 0)),
    );
  const choose = ({ api }: TestMember, plan_type: string) =>
    runContenders((turn) => {
      const headers = { ...api.headers, "Idempotency-Key": randomUUID() };
      return send(turn, "POST /api/billing/subscription", { headers, body: { plan_type } });
    });

  return {
    async "twenty payouts of one balance: one is made"() {
      const { api, accountId } = await publisherWithBalance(advertiser());
      const request: Contender = (turn) => {
        const headers = { ...api.headers, "Idempotency-Key": randomUUID() };
        return send(turn, "POST /api/billing/payouts", { headers, body: {} });
      };
      // The processes' jobs cannot send the first payout: after it has arrived, a late request would get
      // `limit_reached`.
      const outcomes = await db.owner().transaction(async (tx) => {
        await tx.execute(sql`lock table ${sandboxTransfers} in share mode`);
        return runContenders(request, 20);
      });
      expect(outcomes).toEqual(["201", ...times(19, "409 invalid_transition")]);
      const made = await db().select().from(payouts).where(eq(payouts.publisherId, accountId));
      expect(made.map(({ amountCents }) => amountCents)).toEqual([7_000]);
    },
    async "a first plan: one begins, and is paid once"() {
      const account = await withCard("publisher");
      const outcomes = await choose(account, "starter");
      for (const one of outcomes) expect(["200", "409 invalid_transition"]).toContain(one);
      expect(outcomes).toContain("200");
      expect(await countPaidPlans(account.accountId)).toBe(1);
      expect(await db().$count(subscriptions, eq(subscriptions.accountId, account.accountId))).toBe(1);
    },
    async "a larger plan: it is paid once"() {
      const account = await withCard("publisher", await newPublisher("starter"));
      const outcomes = await choose(account, "professional");
      for (const one of outcomes) expect(["200", "409 invalid_transition"]).toContain(one);
      expect(outcomes).toContain("200");
      expect(await countPaidPlans(account.accountId)).toBe(1);
    },
    async "a smaller plan that begins, and approvals that it has no place for: one or the other"() {
      const { publisher, waiting } = await publisherWithCampaigns(advertiser(), {
        plan: "professional",
        running: 4,
        waiting: 3,
      });
      const { accountId } = await withCard("publisher", publisher);
      const hoursFromNow = (many: number) => new Date(Date.now() + many * 3_600_000);
      const over = {
        nextPlanType: "starter",
        periodStartedAt: hoursFromNow(-700),
        anchorAt: hoursFromNow(-700),
      } as const;
      await db()
        .update(subscriptions)
        .set({ ...over, periodEndsAt: hoursFromNow(-1), dueAt: hoursFromNow(-1) })
        .where(isCurrentSubscription(accountId));
      const outcomes = await runContenders((turn) =>
        turn % 4 === 3
          ? inThisProcess(renewDueSubscriptions(asJob()))
          : send(turn, `POST /api/campaigns/${waiting[turn % 3]}/approve`, {
              headers: publisher.api.headers,
              body: { action: "approve" },
            }),
      );
      for (const one of outcomes) expect(["200", "409 limit_reached", "409 not_pending"]).toContain(one);
      const [plan] = await db().select().from(subscriptions).where(isCurrentSubscription(accountId));
      const ofPublisher = and(eq(lineItems.publisherId, accountId), inArray(lineItems.status, ["active", "paused"]));
      const running = await db().$count(lineItems, ofPublisher);
      expect([plan?.planType, running]).toEqual(plan?.planType === "starter" ? ["starter", 5] : ["professional", 7]);
      expect(outcomes.filter((one) => one === "200")).toHaveLength(3 + running - 4);
      expect(await countPaidPlans(accountId)).toBe(1);
    },
    async "refunds of all that a line item spent: one is made, also where its reference comes again"() {
      const { accountId } = await publisherWithBalance(advertiser());
      const [item] = await db().select().from(lineItems).where(eq(lineItems.publisherId, accountId));
      const lineItemId = item?.id ?? expect.fail();
      const references = [randomUUID(), randomUUID()];
      const outcomes = await runContenders((turn) => {
        const refund = { reference: references[turn % 2] ?? "", lineItemId, amount: asCents(10_000) };
        return inThisProcess(refundSpendByReference(asOperator(), refund));
      });
      expect(outcomes).toEqual([
        ...times(contenderCount / 2, "200"),
        ...times(contenderCount / 2, "409 invalid_input"),
      ]);
      expect(await db().$count(refunds, eq(refunds.lineItemId, lineItemId))).toBe(1);
    },
    async "payments of one invoice: it is paid once"() {
      const debtor = await withCard("advertiser");
      await setCreditLimit(asOperator(), { accountId: debtor.accountId, amount: asCents(1_000_000) });
      await publisherWithBalance(debtor);
      await db().delete(invoiceRuns);
      await issueInvoices(asJob());
      const [invoice] = await db().select().from(invoices).where(eq(invoices.advertiserId, debtor.accountId));
      const id = invoice?.id ?? expect.fail();
      const { accountId, userId, methodId } = debtor;
      const ctx = { ...visitor(), actor: { kind: "advertiser" as const, accountId, userId } };
      const outcomes = await runContenders(() => {
        const payment = { id, payment_method_id: methodId, key: randomUUID(), returnPath: () => "/back" as const };
        return inThisProcess(payInvoice(ctx, payment));
      });
      expect(outcomes).toEqual(oneSucceeds("409 invalid_transition"));
      const paid = await db().select().from(topUps).where(eq(topUps.accountId, accountId));
      expect(paid.map(({ status, amountCents }) => [status, amountCents])).toEqual([["succeeded", 10_000]]);
    },
    async "one key of a top-up: charged once"() {
      const account = await withCard("advertiser");
      const body = { amount: 25, payment_method_id: account.methodId };
      await sameForAll(send, account, { call: "POST /api/billing/top-ups", body, other: { ...body, amount: 26 } });
      expect(await db().$count(topUps, eq(topUps.accountId, account.accountId))).toBe(1);
    },
    async "one key of a payout: one is made"() {
      const account = await publisherWithBalance(advertiser());
      await sameForAll(send, account, { call: "POST /api/billing/payouts", body: {}, other: { amount: 70 } });
      expect(await db().$count(payouts, eq(payouts.publisherId, account.accountId))).toBe(1);
    },
    async "one key of a plan: paid once"() {
      const account = await withCard("publisher", await newPublisher("starter"));
      const [body, other] = [{ plan_type: "professional" }, { plan_type: "enterprise" }];
      await sameForAll(send, account, { call: "POST /api/billing/subscription", body, other });
      expect(await countPaidPlans(account.accountId)).toBe(1);
    },
  };
}

/** Twenty callers with one key get the same bytes; another body under the same key is rejected. */
async function sameForAll(
  send: Send,
  { api }: TestMember,
  { call, body, other }: { call: Post; body: unknown; other: unknown },
): Promise<void> {
  const headers = { ...api.headers, "Idempotency-Key": randomUUID() };
  const answers = await Promise.all(Array.from({ length: 20 }, (_, turn) => send(turn, call, { headers, body })));
  expect([...new Set(answers.map(({ status, text }) => `${status} ${text}`))]).toEqual([
    expect.stringMatching(/^20[01] /),
  ]);
  expect(await send(1, call, { headers, body: other })).toMatchObject({ status: 422, code: "idempotency_conflict" });
}

import { randomUUID } from "node:crypto";
import { and, eq, gt, inArray } from "drizzle-orm";
import { expect } from "vitest";
import { currentOf } from "#app/domain/billing/find-subscription.server.ts";
import { issueInvoices } from "#app/domain/billing/invoices/issue-invoices.server.ts";
import { payInvoice } from "#app/domain/billing/invoices/pay-invoice.server.ts";
import { refundOnce } from "#app/domain/billing/refunds/refund-once.server.ts";
import { renewDueSubscriptions } from "#app/domain/billing/subscription/renew-due-subscriptions.server.ts";
import { setCreditLimit } from "#app/domain/billing/wallet/set-credit-limit.server.ts";
import { toCents } from "#app/domain/money.ts";
import {
  invoiceRuns,
  invoices,
  lineItems,
  payouts,
  planChanges,
  refunds,
  subscriptions,
  topUps,
} from "#db/schema/index.ts";
import type { TestMember } from "#tests/api/api.ts";
import { asOperator, visitor } from "#tests/domain/accounts/people.ts";
import { compete, contenders, inThisProcess, oneWins, times } from "./contend.ts";
import { asJob, newPublisher, publisherWithBalance, publisherWithCampaigns, withCard } from "./people-with-money.ts";
import type { useTwoProcesses } from "./two-processes.ts";

type Send = ReturnType<typeof useTwoProcesses>["send"];
type Post = `POST /api/billing/${"top-ups" | "payouts" | "subscription"}`;

/** One round of each race about money. What must hold for all rows is asked afterwards, the ledger's rules among it. */
export function moneyRaces(
  { db, send }: Pick<ReturnType<typeof useTwoProcesses>, "db" | "send">,
  advertiser: () => TestMember,
): Record<string, () => Promise<void>> {
  const paidFor = (accountId: TestMember["accountId"]) =>
    db().$count(
      planChanges,
      and(eq(planChanges.accountId, accountId), eq(planChanges.status, "succeeded"), gt(planChanges.amountCents, 0)),
    );
  const choose = ({ api }: TestMember, plan_type: string) =>
    compete((turn) => {
      const headers = { ...api.headers, "Idempotency-Key": randomUUID() };
      return send(turn, "POST /api/billing/subscription", { headers, body: { plan_type } });
    });

  return {
    async "twenty payouts of one balance: one is made"() {
      const { api, accountId } = await publisherWithBalance(advertiser());
      const told = await compete((turn) => {
        const headers = { ...api.headers, "Idempotency-Key": randomUUID() };
        return send(turn, "POST /api/billing/payouts", { headers, body: {} });
      }, 20);
      expect(told).toEqual(["201", ...times(19, "409 invalid_transition")]);
      const made = await db().select().from(payouts).where(eq(payouts.publisherId, accountId));
      expect(made.map(({ amountCents }) => amountCents)).toEqual([7_000]);
    },
    async "a first plan: one begins, and is paid once"() {
      const who = await withCard("publisher");
      const told = await choose(who, "starter");
      for (const one of told) expect(["200", "409 invalid_transition"]).toContain(one);
      expect(told).toContain("200");
      expect(await paidFor(who.accountId)).toBe(1);
      expect(await db().$count(subscriptions, eq(subscriptions.accountId, who.accountId))).toBe(1);
    },
    async "a larger plan: it is paid once"() {
      const who = await withCard("publisher", await newPublisher("starter"));
      const told = await choose(who, "professional");
      for (const one of told) expect(["200", "409 invalid_transition"]).toContain(one);
      expect(told).toContain("200");
      expect(await paidFor(who.accountId)).toBe(1);
    },
    async "a smaller plan that begins, and approvals that it has no place for: one or the other"() {
      const { publisher, waiting } = await publisherWithCampaigns(advertiser(), {
        plan: "professional",
        running: 4,
        waiting: 3,
      });
      const { accountId } = await withCard("publisher", publisher);
      const hours = (many: number) => new Date(Date.now() + many * 3_600_000);
      const over = { nextPlanType: "starter", periodStartedAt: hours(-700), anchorAt: hours(-700) } as const;
      await db()
        .update(subscriptions)
        .set({ ...over, periodEndsAt: hours(-1), dueAt: hours(-1) })
        .where(currentOf(accountId));
      const told = await compete((turn) =>
        turn % 4 === 3
          ? inThisProcess(renewDueSubscriptions(asJob()))
          : send(turn, `POST /api/campaigns/${waiting[turn % 3]}/approve`, {
              headers: publisher.api.headers,
              body: { action: "approve" },
            }),
      );
      for (const one of told) expect(["200", "409 limit_reached", "409 not_pending"]).toContain(one);
      const [plan] = await db().select().from(subscriptions).where(currentOf(accountId));
      const ofPublisher = and(eq(lineItems.publisherId, accountId), inArray(lineItems.status, ["active", "paused"]));
      const running = await db().$count(lineItems, ofPublisher);
      expect([plan?.planType, running]).toEqual(plan?.planType === "starter" ? ["starter", 5] : ["professional", 7]);
      expect(told.filter((one) => one === "200")).toHaveLength(3 + running - 4);
      expect(await paidFor(accountId)).toBe(1);
    },
    async "refunds of all that a line item spent: one is made, also where its reference comes again"() {
      const { accountId } = await publisherWithBalance(advertiser());
      const [item] = await db().select().from(lineItems).where(eq(lineItems.publisherId, accountId));
      const lineItemId = item?.id ?? expect.fail();
      const references = [randomUUID(), randomUUID()];
      const told = await compete((turn) => {
        const refund = { reference: references[turn % 2] ?? "", lineItemId, amount: toCents(10_000) };
        return inThisProcess(refundOnce(asOperator(), refund));
      });
      expect(told).toEqual([...times(contenders / 2, "200"), ...times(contenders / 2, "409 invalid_input")]);
      expect(await db().$count(refunds, eq(refunds.lineItemId, lineItemId))).toBe(1);
    },
    async "payments of one invoice: it is paid once"() {
      const debtor = await withCard("advertiser");
      await setCreditLimit(asOperator(), { accountId: debtor.accountId, amount: toCents(1_000_000) });
      await publisherWithBalance(debtor);
      await db().delete(invoiceRuns);
      await issueInvoices(asJob());
      const [invoice] = await db().select().from(invoices).where(eq(invoices.advertiserId, debtor.accountId));
      const id = invoice?.id ?? expect.fail();
      const { accountId, userId, methodId } = debtor;
      const ctx = { ...visitor(), actor: { kind: "advertiser" as const, accountId, userId } };
      const told = await compete(() => {
        const payment = { id, payment_method_id: methodId, key: randomUUID(), returnPath: () => "/back" as const };
        return inThisProcess(payInvoice(ctx, payment));
      });
      expect(told).toEqual(oneWins("409 invalid_transition"));
      const paid = await db().select().from(topUps).where(eq(topUps.accountId, accountId));
      expect(paid.map(({ status, amountCents }) => [status, amountCents])).toEqual([["succeeded", 10_000]]);
    },
    async "one key of a top-up: charged once"() {
      const who = await withCard("advertiser");
      const body = { amount: 25, payment_method_id: who.methodId };
      await sameForAll(send, who, { call: "POST /api/billing/top-ups", body, other: { ...body, amount: 26 } });
      expect(await db().$count(topUps, eq(topUps.accountId, who.accountId))).toBe(1);
    },
    async "one key of a payout: one is made"() {
      const who = await publisherWithBalance(advertiser());
      await sameForAll(send, who, { call: "POST /api/billing/payouts", body: {}, other: { amount: 70 } });
      expect(await db().$count(payouts, eq(payouts.publisherId, who.accountId))).toBe(1);
    },
    async "one key of a plan: paid once"() {
      const who = await withCard("publisher", await newPublisher("starter"));
      const [body, other] = [{ plan_type: "professional" }, { plan_type: "enterprise" }];
      await sameForAll(send, who, { call: "POST /api/billing/subscription", body, other });
      expect(await paidFor(who.accountId)).toBe(1);
    },
  };
}

/** Twenty callers with one key get the same bytes; who has something else to say under it is refused. */
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

import { beforeAll, expect, test } from "vitest";
import { listAudienceUploads } from "#app/domain/audiences/list-audience-versions.server.ts";
import { type InvoiceSort, invoiceSorts } from "#app/domain/billing/invoices/invoice.ts";
import { type Invoice, listInvoices } from "#app/domain/billing/invoices/list-invoices.server.ts";
import { listRevenueShares, type RevenueShare } from "#app/domain/billing/list-revenue-shares.server.ts";
import { listTransactions, type Transaction } from "#app/domain/billing/list-transactions.server.ts";
import { listPayouts, type Payout } from "#app/domain/billing/payouts/list-payouts.server.ts";
import { type PayoutSort, payoutSorts } from "#app/domain/billing/payouts/payout.ts";
import { type RevenueShareSort, revenueShareSorts } from "#app/domain/billing/revenue-share.ts";
import { settleDelivery } from "#app/domain/billing/settle-delivery.server.ts";
import { signedAmount, type TransactionSort, transactionSorts } from "#app/domain/billing/transaction.ts";
import { calendarDateOf } from "#app/domain/calendar-date.ts";
import {
  type InvoiceId,
  newId,
  type PayoutId,
  type TransactionId,
  type UploadId,
  type WebhookDeliveryId,
  type WebhookId,
} from "#app/domain/ids.ts";
import type { Page, PageRequest } from "#app/domain/page.ts";
import {
  type ListedWebhookDelivery,
  listWebhookDeliveries,
} from "#app/domain/webhooks/list-webhook-deliveries.server.ts";
import { type WebhookDeliverySort, webhookDeliverySorts } from "#app/domain/webhooks/webhook.ts";
import { audienceUploads, invoices, payouts, transactions, webhookDeliveries, webhooks } from "#db/schema/index.ts";
import { useDatabase } from "#tests/support/database/database.ts";
import { domainErrorFrom } from "#tests/support/expect-domain-error.ts";
import { createWorld, type World } from "#tests/support/world.ts";

const db = useDatabase();
let world: World;
const webhookId = newId<WebhookId>();
const day = 86_400_000;

/** Some rows have equal values, so that the order by ID decides between them. */
beforeAll(async () => {
  world = await createWorld(db());
  const changes = { start_date: world.today(), end_date: "2027-06-30", budget: 900_000, daily_budget: 9_000 };
  const audiences = ["hikers", "coffeeDrinkers"] as const;
  const running = await world.aRunningCampaign({ changes, audiences, approvedBy: ["harbor", "fern"] });
  for (const dollars of [40, 10, 40, 70]) {
    await world.deliver(running, { day: world.today(), spendMicros: dollars * 1_000_000 });
    world.advanceDays(1);
    await settleDelivery(world.job);
  }
  const now = world.clock();
  const at = (days: number) => new Date(now.getTime() + days * day);
  const advertiserId = world.accountId("northwind");
  const publisherId = world.accountId("harbor");
  await db()
    .insert(transactions)
    .values(
      [25, 40, 300, 40].map((dollars, index) => ({
        id: newId<TransactionId>(),
        accountId: advertiserId,
        type: "top_up" as const,
        status: "failed" as const,
        description: `Top-up ${index}`,
        amountCents: dollars * 100,
        createdAt: at(index),
      })),
    );
  await db()
    .insert(invoices)
    .values(
      [500, 900, 500, 100].map((dollars, index) => ({
        id: newId<InvoiceId>(),
        number: 100 + index,
        advertiserId,
        month: calendarDateOf(new Date(Date.UTC(2027, index, 1))),
        amountCents: dollars * 100,
        openCents: dollars * 50 * (index % 2),
        issuedAt: at(index * 30),
        dueOn: calendarDateOf(new Date(Date.UTC(2027, [3, 1, 5, 3][index] ?? 0, 15))),
        paidAt: index % 2 ? null : at(index * 30 + 1),
      })),
    );
  await db()
    .insert(payouts)
    .values(
      [120, 60, 120, 80].map((dollars, index) => ({
        id: newId<PayoutId>(),
        publisherId,
        status: index === 1 ? ("failed" as const) : ("paid" as const),
        failure: index === 1 ? "The account is closed." : null,
        amountCents: dollars * 100,
        provider: "sandbox" as const,
        token: "bank_sandbox",
        bank: "Sandbox Bank",
        lastFour: "6789",
        reference: `ref-${index}`,
        createdAt: at(index * 10),
        endedAt: at([35, 12, 21, 33][index] ?? 0),
      })),
    );
  await db()
    .insert(webhooks)
    .values({
      id: webhookId,
      accountId: advertiserId,
      url: "https://example.com/hook",
      events: ["campaign.approved"],
      secret: Buffer.from("sealed"),
    });
  await db()
    .insert(webhookDeliveries)
    .values(
      [200, 500, null, 200, 404].map((lastStatus, index) => ({
        id: newId<WebhookDeliveryId>(),
        webhookId,
        accountId: advertiserId,
        eventId: crypto.randomUUID(),
        event: "campaign.approved",
        body: "{}",
        state: lastStatus === 200 ? ("delivered" as const) : ("waiting" as const),
        lastStatus,
        createdAt: at(-index),
        attemptedAt: lastStatus ? at(10 - index * 3) : null,
        nextTryAt: lastStatus === 200 ? null : at(20 - index),
        deliveredAt: lastStatus === 200 ? at(11) : null,
      })),
    );
});

type Value = number | string;
type Sorted<Row> = {
  read: (page: PageRequest) => Promise<Page<Row>>;
  shown?: (row: Row) => Value;
  ascending?: boolean;
};

function transactionsBy(sort: TransactionSort, side: "northwind" | "harbor"): Sorted<Transaction> {
  const kind = side === "harbor" ? "publisher" : "advertiser";
  return {
    read: (page) => listTransactions(world[side], { ...page, sort }),
    shown: sort.startsWith("amount") ? (row) => signedAmount(row, kind) : undefined,
    ascending: sort === "amount_low",
  };
}

function sharesBy(sort: RevenueShareSort): Sorted<RevenueShare> {
  const figures = { newest: undefined, oldest: undefined, spend: "spend", fee: "fee", earnings: "earnings" } as const;
  const figure = figures[sort];
  return {
    read: (page) => listRevenueShares(world.harbor, { ...page, sort }),
    shown: figure && ((row) => row[figure]),
  };
}

function invoicesBy(sort: InvoiceSort): Sorted<Invoice> {
  const shown: Partial<Record<InvoiceSort, (row: Invoice) => Value>> = {
    newest: ({ issuedAt }) => issuedAt.getTime(),
    oldest: ({ issuedAt }) => issuedAt.getTime(),
    due: ({ dueOn }) => dueOn,
    due_first: ({ dueOn }) => dueOn,
    amount: ({ amount }) => amount,
    open: ({ open }) => open,
  };
  return {
    read: (page) => listInvoices(world.northwind, { ...page, sort }),
    shown: shown[sort],
    ascending: sort === "oldest" || sort === "due_first",
  };
}

function payoutsBy(sort: PayoutSort): Sorted<Payout> {
  const shown: Record<PayoutSort, (row: Payout) => Value> = {
    newest: ({ createdAt }) => createdAt.getTime(),
    oldest: ({ createdAt }) => createdAt.getTime(),
    arrived: ({ status, endedAt }) => (status === "paid" && endedAt ? endedAt.getTime() : 0),
    amount: ({ amount }) => amount,
  };
  return {
    read: (page) => listPayouts(world.harbor, { ...page, sort }),
    shown: shown[sort],
    ascending: sort === "oldest",
  };
}

function deliveriesBy(sort: WebhookDeliverySort): Sorted<ListedWebhookDelivery> {
  const attempt = ({ attemptedAt, createdAt }: ListedWebhookDelivery) => (attemptedAt ?? createdAt).getTime();
  const shown: Partial<Record<WebhookDeliverySort, (row: ListedWebhookDelivery) => Value>> = {
    attempted: attempt,
    attempted_first: attempt,
    response: ({ lastStatus }) => lastStatus ?? -1,
    next: ({ nextTryAt }) => nextTryAt?.getTime() ?? Number.MAX_SAFE_INTEGER,
  };
  return {
    read: (page) => listWebhookDeliveries(world.northwind, { ...page, webhookId, sort }),
    shown: shown[sort],
    ascending: sort === "attempted_first" || sort === "next",
  };
}

async function expectSorted<Row extends { id: string }>({ read, shown, ascending }: Sorted<Row>): Promise<void> {
  const { rows } = await read({ limit: 100 });
  expect(rows.length).toBeGreaterThan(2);
  if (shown) {
    const values = rows.map(shown);
    expect(new Set(values).size).toBeGreaterThan(1);
    const expected = [...values].sort((one, other) => (one < other ? -1 : one > other ? 1 : 0));
    expect(values).toEqual(ascending ? expected : expected.reverse());
  }
  for (const limit of [1, 2, rows.length]) {
    const collectedValues: string[] = [];
    let page = await read({ limit });
    for (;;) {
      collectedValues.push(...page.rows.map(({ id }) => id));
      if (!page.nextCursor) break;
      page = await read({ limit, cursor: page.nextCursor });
    }
    expect(collectedValues).toEqual(rows.map(({ id }) => id));
    if (page.previousCursor) {
      const before = await read({ limit, cursor: page.previousCursor });
      expect(before.nextCursor).not.toBeNull();
    }
  }
}

test.each(transactionSorts)(
  "transactions by %s are in the order shown, on every page and on both sides",
  async (sort) => {
    await expectSorted(transactionsBy(sort, "northwind"));
  },
);
test.each(revenueShareSorts)("revenue shares by %s are in order on every page", (sort) => expectSorted(sharesBy(sort)));
test.each(invoiceSorts)("invoices by %s are in order on every page", (sort) => expectSorted(invoicesBy(sort)));
test.each(payoutSorts)("payouts by %s are in order on every page", (sort) => expectSorted(payoutsBy(sort)));
test.each(webhookDeliverySorts)("webhook deliveries by %s are in order on every page", (sort) =>
  expectSorted(deliveriesBy(sort)),
);

test("the oldest first is the newest first in reverse", async () => {
  for (const sides of [
    [transactionsBy("newest", "northwind"), transactionsBy("oldest", "northwind")],
    [sharesBy("newest"), sharesBy("oldest")],
  ] as const) {
    const [newest, oldest] = await Promise.all(
      sides.map(async ({ read }) => (await read({})).rows.map(({ id }) => id)),
    );
    expect(oldest).toEqual(newest?.toReversed());
  }
});

test("a publisher's transactions sort by the amount with its sign", async () => {
  const amounts = [5_000, 9_000, 7_000];
  await db()
    .insert(transactions)
    .values(
      amounts.map((amountCents) => ({
        id: newId<TransactionId>(),
        accountId: world.accountId("fern"),
        type: "subscription" as const,
        status: "failed" as const,
        description: "Plan",
        amountCents,
        createdAt: world.clock(),
      })),
    );
  const shown = async (sort: TransactionSort) =>
    (await listTransactions(world.fern, { sort })).rows.map((row) => signedAmount(row, "publisher"));
  expect(await shown("amount")).toEqual([-5_000, -7_000, -9_000]);
  expect(await shown("amount_low")).toEqual([-9_000, -7_000, -5_000]);
});

test("a cursor of another order is refused", async () => {
  const { nextCursor } = await listRevenueShares(world.harbor, { limit: 1 });
  const refusal = await domainErrorFrom(
    listRevenueShares(world.harbor, { limit: 1, sort: "fee", cursor: nextCursor ?? "" }),
  );
  expect(refusal.code).toBe("invalid_input");
});

test("uploads sort by their figures", async () => {
  const audienceId = world.audience("hikers");
  await db()
    .insert(audienceUploads)
    .values(
      [3, 9, 6].map((count, index) => ({
        id: newId<UploadId>(),
        audienceId,
        publisherId: world.accountId("harbor"),
        mode: "add" as const,
        source: "file" as const,
        status: "succeeded" as const,
        files: [],
        rowsRead: count * 10,
        peopleAdded: 10 - count,
        createdAt: new Date(world.clock().getTime() + index),
        heartbeatAt: world.clock(),
        finishedAt: world.clock(),
        size: 5_000,
      })),
    );
  const rowsOf = async (sort?: "newest" | "oldest" | "rows" | "people") =>
    (await listAudienceUploads(world.harbor, audienceId, sort)).map(({ rowsRead }) => rowsRead);
  expect(await rowsOf()).toEqual([60, 90, 30]);
  expect(await rowsOf("oldest")).toEqual([30, 90, 60]);
  expect(await rowsOf("rows")).toEqual([90, 60, 30]);
  expect(await rowsOf("people")).toEqual([30, 60, 90]);
});

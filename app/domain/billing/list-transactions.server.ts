import { and, eq, min, sql } from "drizzle-orm";
import { z } from "zod";
import { columnValue, sqlValue } from "#db/query-rows.server.ts";
import { accounts, lineItems, settledSpend, topUps, transactions } from "#db/schema/index.ts";
import { type CalendarMonth, calendarMonthOf } from "../calendar-month.ts";
import type { Ctx, TenantActor } from "../context.ts";
import { asCents, type Cents } from "../money.ts";
import type { PageRequest } from "../page.ts";
import { type SortOrder, sortedPage, type TimeOrder } from "../sorted-page.server.ts";
import { postedLineItemId } from "./ledger/posted-line-item.server.ts";
import type { TransactionSort, TransactionType } from "./transaction.ts";
import { withinMonth } from "./within-month.server.ts";

export type TransactionFilters = { type?: TransactionType; month?: CalendarMonth };

/** Orders by `signedAmount` of the side, so that an index has the same expression. */
function orderOf({ kind }: TenantActor, sort: TransactionSort = "newest"): SortOrder | TimeOrder {
  if (sort === "newest" || sort === "oldest") return sort;
  const highestFirst = sort === "amount";
  return kind === "publisher"
    ? { by: sql`${transactions.amountCents}`, type: "bigint", descending: !highestFirst }
    : {
        by: sql`(case when ${transactions.type} = 'campaign_spend' then -${transactions.amountCents} else ${transactions.amountCents} end)`,
        type: "bigint",
        descending: highestFirst,
      };
}

/**
 * What spend or its refund is for; null for other transactions. A subquery, which only the rows of the page evaluate.
 */
const spentOn = sqlValue(
  z
    .object({ campaignId: columnValue(lineItems.campaignId), publisherName: columnValue(accounts.companyName) })
    .nullable(),
  sql`(select json_build_object('campaignId', item.campaign_id, 'publisherName', publisher.company_name)
    from ledger_transactions posted join line_items item on item.id = ${postedLineItemId} join accounts publisher on publisher.id = item.publisher_id
    where posted.id = ${transactions.ledgerTransactionId} and ${transactions.type} in ('campaign_spend', 'refund'))`,
);

/**
 * Lists the account's transactions, newest first by default. Amounts are in cents, negative for corrections. Spend and
 * refunds say on which campaign and publisher. A pending top-up has its ID as `pendingTopUpId`: its page says what it
 * waits for, and leads to the bank's confirmation.
 */
export async function listTransactions(
  ctx: Ctx<TenantActor>,
  input: PageRequest & TransactionFilters & { sort?: TransactionSort },
) {
  const keyset = sortedPage(input, { order: orderOf(ctx.actor, input.sort), id: transactions.id });
  const rows = await ctx.db
    .select({
      id: transactions.id,
      type: transactions.type,
      status: transactions.status,
      description: transactions.description,
      amountCents: transactions.amountCents,
      adjustsMonth: transactions.adjustsMonth,
      createdAt: transactions.createdAt,
      pendingTopUpId: topUps.id,
      spentOn,
      sortValue: keyset.sortValue,
    })
    .from(transactions)
    .leftJoin(topUps, and(eq(topUps.transactionId, transactions.id), eq(transactions.status, "pending")))
    .where(
      and(
        eq(transactions.accountId, ctx.actor.accountId),
        input.type && eq(transactions.type, input.type),
        withinMonth(transactions.createdAt, input.month),
        keyset.where,
      ),
    )
    .orderBy(...keyset.orderBy)
    .limit(keyset.limit);
  const page = keyset.page(rows);
  return {
    ...page,
    rows: page.rows.map(({ amountCents, sortValue: _, ...row }) => ({ ...row, amount: asCents(amountCents) })),
  };
}

export type Transaction = Awaited<ReturnType<typeof listTransactions>>["rows"][number];

/**
 * Returns the total ad spend, in cents: the sum of the succeeded transactions of type `campaign_spend`, which a trigger
 * keeps. 0 for a publisher.
 */
export async function sumAdSpend(ctx: Ctx<TenantActor>): Promise<Cents> {
  const [row] = await ctx.db
    .select({ cents: settledSpend.cents })
    .from(settledSpend)
    .where(eq(settledSpend.advertiserId, ctx.actor.accountId));
  return asCents(row?.cents ?? 0);
}

/** Returns the month of the account's first transaction; undefined without one. */
export async function findFirstTransactionMonth(ctx: Ctx<TenantActor>): Promise<CalendarMonth | undefined> {
  const [row] = await ctx.db
    .select({ first: min(transactions.createdAt) })
    .from(transactions)
    .where(eq(transactions.accountId, ctx.actor.accountId));
  return row?.first ? calendarMonthOf(row.first) : undefined;
}

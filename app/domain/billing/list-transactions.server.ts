import { and, eq, min, sql } from "drizzle-orm";
import { z } from "zod";
import { sqlValue } from "#db/query-rows.server.ts";
import { transactions } from "#db/schema/index.ts";
import { type CalendarMonth, calendarMonthOf } from "../calendar-month.ts";
import type { Ctx, TenantActor } from "../context.ts";
import { type Cents, toCents } from "../money.ts";
import { newestFirst } from "../newest-first.server.ts";
import type { PageRequest } from "../page.ts";
import type { TransactionType } from "./transaction.ts";
import { withinMonth } from "./within-month.server.ts";

export type TransactionFilters = { type?: TransactionType; month?: CalendarMonth };

/** What happened to the account's money, newest first. Amounts in cents, negative where something was taken back. */
export async function listTransactions(ctx: Ctx<TenantActor>, input: PageRequest & TransactionFilters) {
  const newest = newestFirst(input, transactions.id);
  const rows = await ctx.db
    .select({
      id: transactions.id,
      type: transactions.type,
      status: transactions.status,
      description: transactions.description,
      amountCents: transactions.amountCents,
      createdAt: transactions.createdAt,
    })
    .from(transactions)
    .where(
      and(
        eq(transactions.accountId, ctx.actor.accountId),
        input.type && eq(transactions.type, input.type),
        withinMonth(transactions.createdAt, input.month),
        newest.beyond,
      ),
    )
    .orderBy(newest.order)
    .limit(newest.most);
  const page = newest.page(rows);
  return { ...page, rows: page.rows.map(({ amountCents, ...row }) => ({ ...row, amount: toCents(amountCents) })) };
}

export type Transaction = Awaited<ReturnType<typeof listTransactions>>["rows"][number];

/** Total ad spend, in cents: the succeeded transactions of type `campaign_spend` (specification, section 9). */
export async function sumAdSpend(ctx: Ctx<TenantActor>): Promise<Cents> {
  const [row] = await ctx.db
    .select({ cents: sqlValue(z.string(), sql`coalesce(sum(${transactions.amountCents}), 0)::text`) })
    .from(transactions)
    .where(
      and(
        eq(transactions.accountId, ctx.actor.accountId),
        eq(transactions.type, "campaign_spend"),
        eq(transactions.status, "succeeded"),
      ),
    );
  return toCents(Number(row?.cents ?? 0));
}

/** The month of the account's first transaction; undefined without one. */
export async function findFirstTransactionMonth(ctx: Ctx<TenantActor>): Promise<CalendarMonth | undefined> {
  const [row] = await ctx.db
    .select({ first: min(transactions.createdAt) })
    .from(transactions)
    .where(eq(transactions.accountId, ctx.actor.accountId));
  return row?.first ? calendarMonthOf(row.first) : undefined;
}

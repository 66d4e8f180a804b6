import { and, eq } from "drizzle-orm";
import { transactions } from "#db/schema/index.ts";
import type { Ctx, TenantActor } from "../context.ts";
import { toCents } from "../money.ts";
import { newestFirst } from "../newest-first.server.ts";
import type { PageRequest } from "../page.ts";

/** What happened to the account's money, newest first. Amounts in cents, negative where something was taken back. */
export async function listTransactions(ctx: Ctx<TenantActor>, input: PageRequest) {
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
    .where(and(eq(transactions.accountId, ctx.actor.accountId), newest.beyond))
    .orderBy(newest.order)
    .limit(newest.most);
  const page = newest.page(rows);
  return { ...page, rows: page.rows.map(({ amountCents, ...row }) => ({ ...row, amount: toCents(amountCents) })) };
}

import { and, asc, desc, eq, sql } from "drizzle-orm";
import { transactions } from "#db/schema/index.ts";
import type { Ctx, TenantActor } from "../context.ts";
import { toCents } from "../money.ts";
import { limitOf, type PageRequest, pageOf, readCursor } from "../page.ts";

/** What happened to the account's money, newest first. Amounts in cents, negative where something was taken back. */
export async function listTransactions(ctx: Ctx<TenantActor>, input: PageRequest) {
  const limit = limitOf(input);
  const position = input.cursor ? readCursor(input.cursor) : undefined;
  const down = position?.direction !== "before";
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
        position && sql`${transactions.id} ${sql.raw(down ? "<" : ">")} ${position.id}::uuid`,
      ),
    )
    .orderBy(down ? desc(transactions.id) : asc(transactions.id))
    .limit(limit + 1);
  const page = pageOf(rows, { limit, position, place: (row) => ({ value: null, id: row.id }) });
  return { ...page, rows: page.rows.map(({ amountCents, ...row }) => ({ ...row, amount: toCents(amountCents) })) };
}

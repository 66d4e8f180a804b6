import { asc, eq, gt, sql } from "drizzle-orm";
import { z } from "zod";
import { sqlValue } from "#db/query-rows.server.ts";
import { accounts } from "#db/schema/index.ts";
import type { Ctx, OperatorActor } from "../context.ts";
import { notFound } from "../errors.ts";
import type { AccountId } from "../ids.ts";

/** Lists all accounts, oldest first, with the email address of their first user. For operators only. */
export async function listAccounts(
  ctx: Ctx<OperatorActor>,
  { limit = 100, after }: { limit?: number; after?: AccountId },
) {
  const rows = await ctx.db
    .select(columns)
    .from(accounts)
    .where(after ? gt(accounts.id, after) : undefined)
    .orderBy(asc(accounts.id))
    .limit(limit + 1);
  return { accounts: rows.slice(0, limit), next: rows.length > limit ? rows[limit - 1]?.id : undefined };
}

/** Returns one account in the form of the list. Throws `not_found`. */
export async function getAccount(ctx: Ctx<OperatorActor>, id: AccountId) {
  const [row] = await ctx.db.select(columns).from(accounts).where(eq(accounts.id, id));
  if (!row) throw notFound("Account");
  return row;
}

const columns = {
  id: accounts.id,
  type: accounts.type,
  status: accounts.status,
  companyName: accounts.companyName,
  // Written as plain SQL: drizzle omits table names in a query of one table, and `account_id = id` would then
  // compare other columns.
  email: sqlValue(
    z.string().nullable(),
    sql`(select users.email from users where users.account_id = accounts.id order by users.id limit 1)`,
  ),
  createdAt: accounts.createdAt,
};

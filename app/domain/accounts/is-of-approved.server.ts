import { type AnyColumn, eq, type SQL, sql } from "drizzle-orm";
import { accounts } from "#db/schema/index.ts";
import type { ReadCtx } from "../context.ts";

/** The condition that a row is an approved account's, looked up by its key (docs/decisions/0108). */
export function isOfApproved(ctx: Pick<ReadCtx, "db">, accountId: AnyColumn): SQL {
  const status = ctx.db.select({ status: accounts.status }).from(accounts).where(eq(accounts.id, accountId));
  return eq(sql`(${status})`, "approved");
}

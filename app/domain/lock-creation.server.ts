import { sql } from "drizzle-orm";
import type { Ctx } from "./context.ts";
import type { AccountId } from "./ids.ts";

type LimitedKind = "api_keys" | "product_imports" | "product_stores" | "reports" | "webhooks";

/** Serializes what an account creates of a kind, until the transaction ends, so that a limit of their number holds. */
export async function lockCreation(ctx: Ctx, kind: LimitedKind, accountId: AccountId): Promise<void> {
  await ctx.db.execute(sql`select pg_advisory_xact_lock(hashtext(${`${kind} ${accountId}`}))`);
}

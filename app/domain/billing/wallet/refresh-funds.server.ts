import { and, eq, isNull, sql } from "drizzle-orm";
import { z } from "zod";
import { columnValue, queryRows } from "#db/query-rows.server.ts";
import { accounts, fundsHolds } from "#db/schema/index.ts";
import { recordAudit } from "../../audit/record-audit.server.ts";
import type { Ctx, JobActor } from "../../context.ts";
import type { AccountId } from "../../ids.ts";
import { inTransaction } from "../../transaction.server.ts";
import { hasFunds } from "./funds.ts";
import { readFunds } from "./read-funds.server.ts";

/**
 * Holds what the advertisers' campaigns deliver when their funds are used up, and lets it go on when there are funds again:
 * the row of the hold tells the channels (a trigger). Gives how many changed. Called after what moves their money, in
 * transactions of its own, and by a job for all.
 */
export async function refreshFunds(ctx: Ctx, advertiserIds: readonly AccountId[]): Promise<number> {
  const wrong = await listWrong(ctx, advertiserIds);
  let changed = 0;
  for (const id of wrong) changed += await inTransaction(ctx, (tx) => refreshOne(tx, id));
  return changed;
}

const accountRow = z.object({ id: columnValue(accounts.id) });

/** Of all advertisers whose campaigns run, or who have money and wait. For a job. */
export async function refreshAllFunds(ctx: Ctx<JobActor>): Promise<number> {
  const rows = await queryRows(
    ctx.db,
    accountRow,
    sql`
      select distinct advertiser_id as id from campaigns where status = 'active'
      union select hold.account_id from funds_holds hold join accounts account on account.id = hold.account_id
        left join ledger_accounts wallet on wallet.owner_id = account.id and wallet.kind = 'advertiser_wallet'
        where hold.released_at is null and (account.credit_limit_cents > 0 or wallet.balance_cents < 0)`,
  );
  return refreshFunds(
    ctx,
    rows.map(({ id }) => id),
  );
}

async function listWrong(ctx: Ctx, advertiserIds: readonly AccountId[]): Promise<AccountId[]> {
  const [funds, held] = await Promise.all([readFunds(ctx, advertiserIds), listHeld(ctx, advertiserIds)]);
  return [...funds].filter(([id, own]) => hasFunds(own) === held.has(id)).map(([id]) => id);
}

async function listHeld(ctx: Ctx, advertiserIds: readonly AccountId[]): Promise<Set<AccountId>> {
  const rows = await queryRows(
    ctx.db,
    accountRow,
    sql`select account_id as id from funds_holds where released_at is null and account_id = any(${`{${advertiserIds.join(",")}}`}::uuid[])`,
  );
  return new Set(rows.map(({ id }) => id));
}

async function refreshOne(ctx: Ctx, id: AccountId): Promise<number> {
  await ctx.db.select({ id: accounts.id }).from(accounts).where(eq(accounts.id, id)).for("no key update");
  if ((await listWrong(ctx, [id])).length === 0) return 0;
  const releasedAt = ctx.clock();
  const released = await ctx.db
    .update(fundsHolds)
    .set({ releasedAt: sql`greatest(${fundsHolds.heldAt}, ${releasedAt.toISOString()}::timestamptz)` })
    .where(and(eq(fundsHolds.accountId, id), isNull(fundsHolds.releasedAt)))
    .returning({ accountId: fundsHolds.accountId });
  if (released.length === 0) await ctx.db.insert(fundsHolds).values({ accountId: id, heldAt: ctx.clock() });
  await recordAudit(ctx, {
    action: released.length > 0 ? "account.funds_released" : "account.funds_held",
    entity: "account",
    entityId: id,
    accountId: id,
    after: { waits_for_funds: released.length === 0 },
  });
  return 1;
}

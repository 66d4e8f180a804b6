import { and, eq, isNull, sql } from "drizzle-orm";
import { z } from "zod";
import { recordAudit } from "#app/domain/audit/record-audit.server.ts";
import type { Ctx, JobActor } from "#app/domain/context.ts";
import { forEachAccount } from "#app/domain/for-each-account.ts";
import type { AccountId } from "#app/domain/ids.ts";
import { inTransaction } from "#app/domain/transaction.server.ts";
import { columnValue, pgArray, queryRows } from "#db/query-rows.server.ts";
import { accounts, fundsHolds } from "#db/schema/index.ts";
import { hasFunds } from "./funds.ts";
import { readFunds } from "./read-funds.server.ts";

/**
 * Puts the advertisers' delivery on hold when their funds are used up, and releases it when they have funds again. A
 * trigger on the hold's row updates the channels. Called after every change of funds, in transactions of its own, and
 * by a job for all. Returns how many holds changed.
 */
export async function syncFundsHolds(ctx: Ctx, advertiserIds: readonly AccountId[]): Promise<number> {
  const outOfSync = await listOutOfSync(ctx, advertiserIds);
  let changed = 0;
  for (const id of outOfSync) if (await inTransaction(ctx, (tx) => syncOne(tx, id))) changed += 1;
  return changed;
}

const accountRow = z.object({ id: columnValue(accounts.id) });

/**
 * Syncs the holds of all advertisers that have running campaigns, or that have funds and are on hold. For a job: an
 * advertiser whose hold fails keeps no other from theirs.
 */
export async function syncAllFundsHolds(ctx: Ctx<JobActor>): Promise<number> {
  const rows = await queryRows(
    ctx.db,
    accountRow,
    sql`
      select advertiser_id as id from campaign_counts where status = 'active' and campaigns > 0
      union select hold.account_id from funds_holds hold join accounts account on account.id = hold.account_id
        left join ledger_accounts wallet on wallet.owner_id = account.id and wallet.kind = 'advertiser_wallet'
        where hold.released_at is null and (account.credit_limit_cents > 0 or wallet.balance_cents < 0)`,
  );
  const outOfSync = await listOutOfSync(
    ctx,
    rows.map(({ id }) => id),
  );
  return forEachAccount(ctx, outOfSync, (id) => inTransaction(ctx, (tx) => syncOne(tx, id)));
}

async function listOutOfSync(ctx: Ctx, advertiserIds: readonly AccountId[]): Promise<AccountId[]> {
  const [funds, onHold] = await Promise.all([readFunds(ctx, advertiserIds), listOnHold(ctx, advertiserIds)]);
  return [...funds].filter(([id, advertiserFunds]) => hasFunds(advertiserFunds) === onHold.has(id)).map(([id]) => id);
}

async function listOnHold(ctx: Ctx, advertiserIds: readonly AccountId[]): Promise<Set<AccountId>> {
  const rows = await queryRows(
    ctx.db,
    accountRow,
    sql`select account_id as id from funds_holds where released_at is null and account_id = any(${pgArray(advertiserIds)}::uuid[])`,
  );
  return new Set(rows.map(({ id }) => id));
}

/** Returns whether the hold changed. */
async function syncOne(ctx: Ctx, id: AccountId): Promise<boolean> {
  await ctx.db.select({ id: accounts.id }).from(accounts).where(eq(accounts.id, id)).for("no key update");
  if ((await listOutOfSync(ctx, [id])).length === 0) return false;
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
  return true;
}

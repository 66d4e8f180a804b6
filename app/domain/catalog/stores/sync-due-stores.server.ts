import { and, asc, eq, gt, gte, isNotNull, lt, lte, sql } from "drizzle-orm";
import { z } from "zod";
import { countBackgroundTasks, runInBackground } from "#app/domain/background-tasks.server.ts";
import { sqlValue } from "#db/query-rows.server.ts";
import { accounts, productImports, productStores } from "#db/schema/index.ts";
import { isOfApproved } from "../../accounts/is-of-approved.server.ts";
import type { Ctx, JobActor, TenantActor } from "../../context.ts";
import { DomainError } from "../../errors.ts";
import { staleBefore } from "../../heartbeat.ts";
import type { StoreId } from "../../ids.ts";
import { fetchStoreProducts, maxAttempts, releasedAt } from "./fetch-store-products.server.ts";
import { syncStoreIfDue } from "./sync-store.server.ts";

/** The number of syncs that one run starts, so that a single process does not take all of them. */
const maxSyncsPerRun = 4;
/**
 * The number of syncs that run in this process at once before the job starts further ones. Each holds a page of
 * products, of 16 MB at most, or a thread with a feed's file, and a slow store takes hours. Those that people start
 * count, but do not wait.
 */
const maxConcurrentSyncs = 16;
/**
 * The number of syncs of an account that run at once before the job starts further ones: slow stores hold up no
 * others'.
 */
const maxSyncsOfAccount = 2;
/** In milliseconds. */
const hour = 60 * 60 * 1000;

/**
 * Starts the syncs that are due and resumes those whose process is gone, of approved accounts; those of others wait for
 * their approval, and those for which this process or their account has no capacity for a later run. One whose process
 * died at its last attempt has failed: it may be what ends the process. Returns the number of all three.
 */
export async function syncDueStores(ctx: Ctx<JobActor>): Promise<number> {
  return (await failLastAttempts(ctx)) + (await resumeSyncs(ctx)) + (await startSyncs(ctx));
}

/** The job that sweeps imports deletes what they have read. */
async function failLastAttempts(ctx: Ctx<JobActor>): Promise<number> {
  const isLastAttempt = and(gte(productImports.attempts, maxAttempts - 1), gt(productImports.heartbeatAt, releasedAt));
  const error = "The sync was interrupted several times. Your catalog was not changed. The next sync tries again.";
  const failed = await ctx.db
    .update(productImports)
    .set({ status: "failed", error, finishedAt: ctx.clock() })
    .where(and(isAbandoned(ctx), isLastAttempt));
  return failed.count;
}

/** Returns how many syncs the job may start now. */
function freeSyncs(): number {
  const free = maxConcurrentSyncs - countBackgroundTasks({ only: "fetch_store" });
  return Math.min(maxSyncsPerRun, Math.max(0, free));
}

async function resumeSyncs(ctx: Ctx<JobActor>): Promise<number> {
  const abandoned = await ctx.db
    .select({ id: productImports.id, accountId: productImports.accountId, heartbeatAt: productImports.heartbeatAt })
    .from(productImports)
    .where(and(isAbandoned(ctx), isOfApproved(ctx, productImports.accountId)))
    .orderBy(asc(productImports.heartbeatAt))
    .limit(freeSyncs());
  let resumed = 0;
  for (const { id, accountId } of abandoned) {
    const ownerCtx = await contextForOwner(ctx, accountId);
    if (!ownerCtx) continue;
    // Only one of several processes claims the sync.
    const [claimed] = await ctx.db
      .update(productImports)
      .set({
        heartbeatAt: ctx.clock(),
        run: sql`${productImports.run} + 1`,
        attempts: sql`${productImports.attempts} + (${gt(productImports.heartbeatAt, releasedAt)})::int`,
      })
      .where(and(eq(productImports.id, id), isAbandoned(ctx)))
      .returning({ id: productImports.id, run: productImports.run });
    if (!claimed) continue;
    void runInBackground(ownerCtx, { work: "fetch_store", importId: id }, () => fetchStoreProducts(ownerCtx, claimed));
    resumed += 1;
  }
  return resumed;
}

function isAbandoned(ctx: Ctx) {
  return and(
    eq(productImports.status, "running"),
    isNotNull(productImports.storeId),
    lt(productImports.heartbeatAt, staleBefore(ctx.clock())),
  );
}

async function startSyncs(ctx: Ctx<JobActor>): Promise<number> {
  const due = await listDue(ctx);
  let started = 0;
  for (const { id, accountId } of due) {
    const ownerCtx = await contextForOwner(ctx, accountId);
    if (!ownerCtx) continue;
    try {
      if (await syncStoreIfDue(ownerCtx, { id })) started += 1;
    } catch (error) {
      // A sync of the store is still running.
      if (!(error instanceof DomainError)) throw error;
      await postpone(ctx, id);
    }
  }
  return started;
}

/** Lists the due stores in the order in which they became due, of each account only those for which it has room. */
async function listDue(ctx: Ctx): Promise<{ id: StoreId; accountId: TenantActor["accountId"] }[]> {
  const { id, accountId, nextSyncAt, credential } = productStores;
  const place = sql`row_number() over (partition by ${accountId} order by ${nextSyncAt}, ${id})`;
  const ofAccounts = ctx.db
    .select({ id, accountId, nextSyncAt, place: sqlValue(z.coerce.number(), place).as("place") })
    .from(productStores)
    .where(and(lte(nextSyncAt, ctx.clock()), isNotNull(credential), isOfApproved(ctx, accountId)))
    .as("of_accounts");
  const running = ctx.db.$count(
    productImports,
    and(
      eq(productImports.accountId, ofAccounts.accountId),
      eq(productImports.status, "running"),
      isNotNull(productImports.storeId),
    ),
  );
  return ctx.db
    .select({ id: ofAccounts.id, accountId: ofAccounts.accountId })
    .from(ofAccounts)
    .where(lte(sql`${ofAccounts.place} + ${running}`, maxSyncsOfAccount))
    .orderBy(asc(ofAccounts.nextSyncAt))
    .limit(freeSyncs());
}

/** Postpones a sync that cannot start now, so that other due stores are not blocked. */
async function postpone(ctx: Ctx<JobActor>, id: StoreId): Promise<void> {
  const now = ctx.clock();
  await ctx.db
    .update(productStores)
    .set({ nextSyncAt: new Date(now.getTime() + hour) })
    .where(and(eq(productStores.id, id), lte(productStores.nextSyncAt, now)));
}

/** Returns a context that acts for the store's owner; undefined for an account that is not approved. */
async function contextForOwner(
  ctx: Ctx<JobActor>,
  accountId: TenantActor["accountId"],
): Promise<Ctx<TenantActor> | undefined> {
  const [account] = await ctx.db
    .select({ kind: accounts.type })
    .from(accounts)
    .where(and(eq(accounts.id, accountId), eq(accounts.status, "approved")));
  return account && { ...ctx, actor: { kind: account.kind, accountId } };
}
